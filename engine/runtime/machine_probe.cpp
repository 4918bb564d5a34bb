// SPDX-License-Identifier: Apache-2.0
#include "engine/runtime/machine_probe.h"

#include "engine/base/aligned_buffer.h"
#include "engine/runtime/step_executor.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <numeric>

namespace sotto::runtime {
namespace {

constexpr std::int64_t kChunkBytes = 1 << 20;
constexpr std::int64_t kRounds = 2000; // of products in a chunk: some tens of microseconds
constexpr double kSeconds = 0.15;      // for each of the two

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

class Probe final : public MachineProbe {
  public:
    Probe(int n_threads, const kernels::KernelTable& kernel, AlignedBuffer memory)
        : kernel_(kernel), memory_(std::move(memory)), executor_(n_threads, 1),
          done_(static_cast<std::size_t>(n_threads)) {
        std::iota(std::begin(codes_), std::end(codes_), std::uint8_t{1});
        std::iota(std::begin(x_), std::end(x_), std::int8_t{-16});
    }

    MachineLimits measure() override {
        const auto n_bytes = static_cast<double>(memory_.size());
        const std::int64_t n_chunks = std::int64_t{8} * executor_.n_threads();
        MachineLimits limits;
        limits.read_gb_per_s = n_bytes * 1e-9 * steps_per_s({read, this, 0, n_read_chunks()});
        std::ranges::fill(done_, Done{});
        const auto start = std::chrono::steady_clock::now();
        (void)steps_per_s({multiply, this, 0, n_chunks});
        std::int64_t n_ops = 0;
        for (const Done& d : done_) {
            n_ops += d.n_ops;
        }
        limits.products_giga_ops = static_cast<double>(n_ops) * 1e-9 / seconds_since(start);
        return limits;
    }

  private:
    struct alignas(64) Done { // a worker's own
        std::int64_t n_ops = 0;
        std::int32_t sink = 0;
    };

    [[nodiscard]] std::int64_t n_read_chunks() const {
        return static_cast<std::int64_t>(memory_.size()) / kChunkBytes;
    }

    double steps_per_s(const model::StepOp& op) {
        int n = 0;
        const auto start = std::chrono::steady_clock::now();
        do {
            executor_.run(std::span(&op, 1), nullptr);
            ++n;
        } while (seconds_since(start) < kSeconds);
        return n / seconds_since(start);
    }

    static void read(void* context, std::int64_t, std::int64_t chunk, int worker) {
        auto& self = *static_cast<Probe*>(context);
        self.kernel_.probe_read(self.memory_.data() + chunk * kChunkBytes, kChunkBytes,
                                &self.done_[static_cast<std::size_t>(worker)].sink);
    }
    static void multiply(void* context, std::int64_t, std::int64_t, int worker) {
        auto& self = *static_cast<Probe*>(context);
        Done& done = self.done_[static_cast<std::size_t>(worker)];
        done.n_ops += self.kernel_.probe_products(kRounds, self.codes_, self.x_, &done.sink);
    }

    const kernels::KernelTable& kernel_;
    AlignedBuffer memory_;
    StepExecutor executor_;
    std::vector<Done> done_; // [n_threads]
    alignas(64) std::uint8_t codes_[64];
    alignas(64) std::int8_t x_[32];
};

} // namespace

Result<std::unique_ptr<MachineProbe>>
make_machine_probe(int n_threads, const kernels::KernelTable& kernel, std::size_t memory_bytes) {
    const auto n_chunks = std::max<std::size_t>(memory_bytes / kChunkBytes, 1);
    auto memory = AlignedBuffer::allocate(n_chunks * kChunkBytes);
    if (!memory) {
        return std::move(memory).error();
    }
    // Memory that nobody has written is one page of zeros, read from the first cache.
    std::memset(memory->data(), 1, memory->size());
    return std::unique_ptr<MachineProbe>(std::make_unique<Probe>(
        std::clamp(n_threads, 1, StepExecutor::kMaxThreads), kernel, *std::move(memory)));
}

} // namespace sotto::runtime
