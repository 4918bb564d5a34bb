// SPDX-License-Identifier: Apache-2.0
#include "engine/runtime/step_executor.h"

#include "engine/base/tsan.h"
#include "engine/runtime/spin.h"
#include "kernels/fp_env.h"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <chrono>
#include <cstdint>
#include <vector>

namespace sotto::runtime {
namespace {

// A counter and the epoch of the step it belongs to, in one word: a worker that is late by a step
// sees that the epoch is not its own and leaves, whatever the counter says.
constexpr std::uint64_t pack(std::uint32_t epoch, std::uint32_t count) {
    return (static_cast<std::uint64_t>(epoch) << 32) | count;
}
constexpr std::uint32_t epoch_of(std::uint64_t word) {
    return static_cast<std::uint32_t>(word >> 32);
}
constexpr std::uint32_t count_of(std::uint64_t word) {
    return static_cast<std::uint32_t>(word);
}

struct alignas(64) OpState {
    std::atomic<std::uint64_t> unclaimed{0}; // chunks nobody has taken
    std::atomic<std::uint64_t> undone{0};    // chunks not finished
};

struct alignas(64) Seat {
    std::atomic<bool> taken{false};
    std::atomic<std::int64_t> n_chunks{0}; // run since reset
};

/// Without this oneTBB runs no more threads than cores. Once for the process and for good: of
/// several such limits it takes the lowest. Threads are still made only when an arena asks for
/// them.
void allow_many_threads() {
    static const tbb::global_control allowance(tbb::global_control::max_allowed_parallelism,
                                               StepExecutor::kMaxThreads + 1);
}

using Clock = std::chrono::steady_clock;
constexpr auto kStayAwake = std::chrono::milliseconds(2);

} // namespace

struct StepExecutor::Shared : std::enable_shared_from_this<StepExecutor::Shared> {
    // The step that runs: epoch and number of operations. Stored with release after everything
    // below.
    std::atomic<std::uint64_t> step{0};
    std::atomic<const model::StepOp*> ops{nullptr};
    std::atomic<const std::atomic<bool>*> cancel{nullptr};
    std::atomic<bool> cancelled{false};
    std::atomic<int> n_seats{1};        // workers that may take part, the caller included
    std::atomic<std::uint32_t> crew{0}; // raised when the thread count changes: older workers leave
    std::shared_ptr<std::atomic<int>>
        n_invited; // tasks handed to this crew's arena that have not ended
    std::vector<OpState> states;
    std::array<Seat, kMaxThreads> seats;
    std::unique_ptr<tbb::task_arena> arena;

    explicit Shared(std::size_t max_ops) : states(max_ops) {}
    bool claim(OpState& state, std::uint32_t epoch, std::uint32_t& chunk);
    bool walk(std::uint32_t epoch, std::uint32_t n_ops, int seat, double* seconds = nullptr);
    void worker(std::uint32_t my_crew);
    void invite();
    void arm(std::span<const model::StepOp> plan, std::uint32_t epoch);
};

/// Takes a chunk of an operation of step `epoch`; false if none is left or the step is over.
bool StepExecutor::Shared::claim(OpState& state, std::uint32_t epoch, std::uint32_t& chunk) {
    std::uint64_t word = state.unclaimed.load(std::memory_order_acquire);
    while (epoch_of(word) == epoch && count_of(word) > 0) {
        if (state.unclaimed.compare_exchange_weak(word, word - 1, std::memory_order_acq_rel,
                                                  std::memory_order_acquire)) {
            chunk = count_of(word) - 1;
            return true;
        }
    }
    return false;
}

/// Walks the step's operations; false if the step ended before the walk did.
bool StepExecutor::Shared::walk(std::uint32_t epoch, std::uint32_t n_ops, int seat,
                                double* seconds) {
    const kernels::DefaultFpEnv default_env;
    std::int64_t n_run = 0;
    Clock::time_point begin = seconds ? Clock::now() : Clock::time_point{};
    for (std::uint32_t i = 0; i < n_ops; ++i) {
        OpState& state = states[i];
        for (std::uint32_t chunk = 0; claim(state, epoch, chunk);) {
            // Holding a claimed chunk keeps the step from ending, so the operation may be read.
            const std::atomic<bool>* flag = cancel.load(std::memory_order_relaxed);
            if (flag && flag->load(std::memory_order_relaxed)) {
                cancelled.store(true, std::memory_order_relaxed);
            }
            if (!cancelled.load(std::memory_order_relaxed)) {
                const model::StepOp& op = ops.load(std::memory_order_relaxed)[i];
                // Claimed from the top; handed out from the bottom, in reading order of the
                // weights.
                op.run(op.context, op.argument, op.n_chunks - 1 - static_cast<std::int64_t>(chunk),
                       seat);
                ++n_run;
            }
            state.undone.fetch_sub(1, std::memory_order_acq_rel);
        }
        for (Spin spin;; spin.wait()) {
            const std::uint64_t word = state.undone.load(std::memory_order_acquire);
            if (epoch_of(word) != epoch) {
                return false;
            }
            if (count_of(word) == 0) {
                break;
            }
        }
        if (seconds) {
            const Clock::time_point end = Clock::now();
            seconds[i] = std::chrono::duration<double>(end - begin).count();
            begin = end;
        }
    }
    if (n_run > 0) {
        seats[static_cast<std::size_t>(seat)].n_chunks.fetch_add(n_run, std::memory_order_relaxed);
    }
    return true;
}

/// A task of the arena: takes part in steps until none came for about 2 ms.
void StepExecutor::Shared::worker(std::uint32_t my_crew) {
    const int limit = n_seats.load(std::memory_order_relaxed);
    int seat = 1;
    for (; seat < limit; ++seat) {
        if (!seats[static_cast<std::size_t>(seat)].taken.exchange(true,
                                                                  std::memory_order_acq_rel)) {
            break;
        }
    }
    if (seat >= limit) {
        return;
    }
    std::uint32_t last = 0;
    auto idle_since = Clock::now();
    for (Spin spin; crew.load(std::memory_order_relaxed) == my_crew; spin.wait()) {
        const std::uint64_t word = step.load(std::memory_order_acquire);
        if (count_of(word) > 0 && epoch_of(word) != last) {
            last = epoch_of(word);
            walk(last, count_of(word), seat);
            idle_since = Clock::now();
            spin = Spin{};
        } else if (Clock::now() - idle_since > kStayAwake) {
            break;
        }
    }
    seats[static_cast<std::size_t>(seat)].taken.store(false, std::memory_order_release);
}

/// Hands tasks to the arena until there is one for every worker but the caller.
void StepExecutor::Shared::invite() {
    const int wanted = n_seats.load(std::memory_order_relaxed) - 1;
    while (arena && n_invited->load(std::memory_order_relaxed) < wanted) {
        n_invited->fetch_add(1, std::memory_order_relaxed);
        SOTTO_HAND_OVER(release, this);
        arena->enqueue([self = shared_from_this(), my_crew = crew.load(std::memory_order_relaxed),
                        invited = n_invited] {
            SOTTO_HAND_OVER(acquire, self.get());
            self->worker(my_crew);
            invited->fetch_sub(1, std::memory_order_relaxed);
        });
    }
}

void StepExecutor::Shared::arm(std::span<const model::StepOp> plan, std::uint32_t epoch) {
    assert(plan.size() <= states.size());
    for (std::size_t i = 0; i < plan.size(); ++i) {
        const auto n = static_cast<std::uint32_t>(plan[i].n_chunks);
        states[i].undone.store(pack(epoch, n), std::memory_order_release);
        states[i].unclaimed.store(pack(epoch, n), std::memory_order_release);
    }
    ops.store(plan.data(), std::memory_order_relaxed);
    cancelled.store(false, std::memory_order_relaxed);
}

StepExecutor::StepExecutor(int n_threads, std::size_t max_ops)
    : shared_(std::make_shared<Shared>(max_ops)) {
    set_n_threads(n_threads);
}

StepExecutor::~StepExecutor() {
    shared_->crew.fetch_add(1, std::memory_order_relaxed);
}

void StepExecutor::set_n_threads(int n_threads) {
    n_threads_ = std::clamp(n_threads, 1, kMaxThreads);
    Shared& s = *shared_;
    s.n_seats.store(n_threads_, std::memory_order_relaxed);
    s.crew.fetch_add(1, std::memory_order_relaxed);
    s.n_invited = std::make_shared<std::atomic<int>>(0);
    s.arena.reset();
    if (n_threads_ > 1) {
        allow_many_threads();
        s.arena = std::make_unique<tbb::task_arena>(n_threads_ - 1, 0);
    }
}

bool StepExecutor::run(std::span<const model::StepOp> plan, const std::atomic<bool>* cancel,
                       double* seconds) {
    if (plan.empty()) {
        return true;
    }
    Shared& s = *shared_;
    std::uint32_t epoch = epoch_of(s.step.load(std::memory_order_relaxed)) + 1;
    epoch += epoch == 0; // 0 means none
    s.arm(plan, epoch);
    s.cancel.store(cancel, std::memory_order_relaxed);
    s.step.store(pack(epoch, static_cast<std::uint32_t>(plan.size())), std::memory_order_release);
    s.invite();
    s.walk(epoch, static_cast<std::uint32_t>(plan.size()), 0, seconds);
    // From here on a late worker finds no step to enter.
    s.step.store(pack(epoch, 0), std::memory_order_release);
    return !s.cancelled.load(std::memory_order_relaxed);
}

int StepExecutor::threads_used() const {
    return static_cast<int>(std::ranges::count_if(shared_->seats, [](const Seat& s) {
        return s.n_chunks.load(std::memory_order_relaxed) > 0;
    }));
}

void StepExecutor::reset_threads_used() {
    for (Seat& s : shared_->seats) {
        s.n_chunks.store(0, std::memory_order_relaxed);
    }
}

} // namespace sotto::runtime
