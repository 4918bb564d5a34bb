// SPDX-License-Identifier: Apache-2.0
#include "engine/runtime/scheduler.h"

#include "engine/base/log.h"
#include "kernels/fp_env.h"

#include <algorithm>

namespace sotto::runtime {

Scheduler::~Scheduler() {
    {
        const std::lock_guard lock(mutex_);
        closing_ = true;
        for (const auto& weak : handles_) {
            if (const auto handle = weak.lock()) {
                handle->cancel();
            }
        }
    }
    wake_.notify_one();
    if (thread_.joinable()) {
        thread_.join();
    }
}

std::shared_ptr<Request> Scheduler::submit(RequestOptions options) {
    auto handle = std::make_shared<RequestHandle>(options.sampling, interrupt_);
    auto sequence =
        std::make_unique<Sequence>(std::move(options), handle, pool_, loaded_->kernel());
    sequence->submitted = Clock::now();
    sequence->timings.load_ms = loaded_->info().load_ms;
    {
        const std::lock_guard lock(mutex_);
        std::erase_if(handles_, [](const auto& weak) { return weak.expired(); });
        handles_.push_back(handle);
        if (closing_) {
            handle->cancel();
        }
        incoming_.push_back(std::move(sequence));
        ++status_.n_waiting;
    }
    wake_.notify_one();
    return handle;
}

void Scheduler::set_n_threads(int n_threads) {
    const std::lock_guard lock(mutex_);
    wanted_threads_ = std::clamp(n_threads, 1, StepExecutor::kMaxThreads);
    wake_.notify_one();
}

EngineStatus Scheduler::status() const {
    const std::lock_guard lock(mutex_);
    return status_;
}

void Scheduler::loop() {
    const kernels::DefaultFpEnv
        default_env; // a thread inherits its creator's; sampling is arithmetic too
    while (take_requests()) {
        apply_thread_count();
        interrupt_->store(false, std::memory_order_release); // first: what comes later counts
        drop_cancelled();
        form_step();
        if (!rows_.empty()) {
            run_step();
        }
        sweep();
        publish_status();
    }
}

bool Scheduler::take_requests() {
    std::vector<std::unique_ptr<Sequence>> fresh;
    std::deque<std::packaged_task<void()>> tasks;
    {
        std::unique_lock lock(mutex_);
        wake_.wait(lock, [this] {
            return closing_ || !running_.empty() || !incoming_.empty() || !tasks_.empty() ||
                   wanted_threads_ != executor_.n_threads();
        });
        while (!incoming_.empty() &&
               running_.size() + fresh.size() < static_cast<std::size_t>(n_slots_)) {
            fresh.push_back(std::move(incoming_.front()));
            incoming_.pop_front();
        }
        status_.n_waiting = static_cast<int>(incoming_.size());
        tasks.swap(tasks_);
        if (closing_ && fresh.empty() && running_.empty() && incoming_.empty() && tasks.empty()) {
            return false;
        }
    }
    for (auto& task : tasks) {
        task();
    }
    for (auto& sequence : fresh) {
        admit(std::move(sequence));
    }
    return true;
}

void Scheduler::drop_cancelled() {
    for (const auto& s : running_) {
        if (!s->finished && s->handle->cancelled()) {
            finish(*s, FinishReason::cancelled);
        }
    }
    // Those still waiting are told at once as well.
    std::deque<std::unique_ptr<Sequence>> gone;
    {
        const std::lock_guard lock(mutex_);
        for (auto it = incoming_.begin(); it != incoming_.end();) {
            if ((*it)->handle->cancelled()) {
                gone.push_back(std::move(*it));
                it = incoming_.erase(it);
            } else {
                ++it;
            }
        }
    }
    for (const auto& s : gone) {
        finish(*s, FinishReason::cancelled);
    }
}

void Scheduler::apply_thread_count() {
    int wanted = 0;
    {
        const std::lock_guard lock(mutex_);
        wanted = wanted_threads_;
    }
    if (wanted == executor_.n_threads()) {
        return;
    }
    if (auto done = context_.set_workers(wanted); !done) {
        log::warn("thread count stays at " + std::to_string(executor_.n_threads()) + ": " +
                  done.error().message);
        const std::lock_guard lock(mutex_);
        wanted_threads_ = executor_.n_threads();
        return;
    }
    executor_.set_n_threads(wanted);
    executor_.reset_threads_used();
}

void Scheduler::run_step() {
    if (auto done = context_.begin(rows_); !done) {
        for (Sequence* s : in_step_) {
            finish(*s, FinishReason::error, done.error());
        }
        return;
    }
    plan_step();
    const Clock::time_point start = Clock::now();
    const bool complete = executor_.run(plan_, interrupt_.get(), clock_.start(plan_.size()));
    const double ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    if (!complete) {
        return; // someone cancelled; what the step stored is not counted as computed
    }
    clock_.finish(plan_);
    const bool shared = static_cast<std::int64_t>(rows_.size()) > n_read_;
    if (shared && n_read_ > 0) {
        budget_.took(n_read_, ms);
    }
    for (Sequence* s : in_step_) {
        if (!s->writing()) {
            s->prefill_ms += ms;
        }
        take_results(*s);
    }
}

void Scheduler::sweep() {
    for (auto it = running_.begin(); it != running_.end();) {
        if ((*it)->finished) {
            keep(**it);
            it = running_.erase(it);
        } else {
            ++it;
        }
    }
}

void Scheduler::publish_status() {
    const std::lock_guard lock(mutex_);
    status_.n_threads = executor_.n_threads();
    status_.n_running = static_cast<int>(running_.size());
    status_.n_paused = static_cast<int>(
        std::ranges::count_if(running_, [](const auto& s) { return s->paused && !s->finished; }));
    status_.kv_bytes = static_cast<std::int64_t>(pool_.held_bytes());
    status_.kv_used_bytes = static_cast<std::int64_t>(pool_.used_bytes());
    status_.prompt_tokens = prompt_tokens_;
    status_.reused_tokens = reused_tokens_;
}

} // namespace sotto::runtime
