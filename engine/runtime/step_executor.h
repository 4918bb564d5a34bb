// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/model/step_plan.h"

#include <atomic>
#include <cstddef>
#include <memory>
#include <span>

namespace sotto::runtime {

/// Runs the operations of a step on a pool of n_threads workers, the caller being one. The unit of
/// parallel work is the step: its workers walk the list together, claim chunks by an atomic counter
/// and spin until an operation's chunks are done, which costs a fraction of a microsecond an
/// operation where a parallel region would cost several. Between steps workers wait about 2 ms and
/// then sleep.
///
/// One thread at a time may call run() and set_n_threads().
class StepExecutor {
  public:
    /// Steps may have up to max_ops operations.
    StepExecutor(int n_threads, std::size_t max_ops);
    ~StepExecutor();
    StepExecutor(const StepExecutor&) = delete;
    StepExecutor& operator=(const StepExecutor&) = delete;

    /// Acts on the next run(). 1..kMaxThreads; more than there are cores is allowed.
    void set_n_threads(int n_threads);
    [[nodiscard]] int n_threads() const { return n_threads_; }

    /// Runs every chunk of every operation in order. `cancel` (may be null) is looked at before
    /// each chunk; once it is set the rest is skipped and false comes back: the step's results are
    /// void. `seconds` (may be null; [plan.size()]) gets what each operation took.
    bool run(std::span<const model::StepOp> plan, const std::atomic<bool>* cancel,
             double* seconds = nullptr);

    /// Workers that ran at least one chunk since reset_threads_used(); they did so at the same
    /// time.
    [[nodiscard]] int threads_used() const;
    void reset_threads_used();

    static constexpr int kMaxThreads = 256;

  private:
    struct Shared;
    std::shared_ptr<Shared> shared_; // late workers may outlive the executor
    int n_threads_ = 1;
};

} // namespace sotto::runtime
