// SPDX-License-Identifier: Apache-2.0
#include "engine/runtime/sequence.h"

namespace sotto::runtime {

void RequestHandle::cancel() {
    cancelled_.store(true, std::memory_order_relaxed);
    interrupt_->store(true, std::memory_order_release);
}

void RequestHandle::set_sampling(const SamplingParams& params) {
    const std::lock_guard lock(mutex_);
    changed_ = changed_ || params != params_;
    params_ = params;
}

std::vector<SamplingChange> RequestHandle::sampling_changes() const {
    const std::lock_guard lock(mutex_);
    return log_;
}

SamplingParams RequestHandle::sampling_for(std::int64_t index) {
    const std::lock_guard lock(mutex_);
    if (changed_) {
        changed_ = false;
        log_.push_back({index, params_});
    }
    return params_;
}

void RequestHandle::wait() {
    std::unique_lock lock(mutex_);
    finished_changed_.wait(lock, [this] { return finished_; });
}

void RequestHandle::set_finished() {
    const std::lock_guard lock(mutex_);
    finished_ = true;
    finished_changed_.notify_all();
}

} // namespace sotto::runtime
