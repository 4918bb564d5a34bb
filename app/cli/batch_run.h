// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/batch_input.h"
#include "app/cli/batch_statistics.h"
#include "app/cli/request_flags.h"
#include "app/cli/session.h"

#include <deque>

namespace sotto::cli {

/// Many prompts at once, their answers in the order of the lines.
class BatchRun {
  public:
    /// `flags`, `session` and `maker` (with prepare_chat() done) must outlive it.
    BatchRun(const RequestFlags& flags, const Session& session, RequestMaker& maker,
             std::shared_ptr<InterruptibleInput> in);

    /// Blocks, prints; the exit code. Ctrl-C cancels what runs.
    int run();

  private:
    struct Shared; // with the scheduler's thread
    struct Job;
    struct Entry {
        std::shared_ptr<Job> job;
        std::shared_ptr<Request> request; // null: the line was bad
    };

    [[nodiscard]] bool has_room() const;
    void take_lines();
    void start(const BatchLine& line);
    Result<RequestOptions> request_of(const BatchLine& line);
    void submit(Entry& entry, RequestOptions request);
    void interrupt();
    void drop_cancelled();
    [[nodiscard]] bool is_finished(const Entry& entry) const;
    void print_finished();
    void print(Job& job);
    int end(double seconds);

    const RequestFlags& flags_;
    Engine& engine_;
    RequestMaker& maker_;
    const std::shared_ptr<Shared> shared_;
    BatchInput input_;
    std::deque<Entry> entries_; // in the order of the lines, not printed yet
    std::size_t n_submitted_ = 0;
    bool interrupted_ = false;
    BatchStatistics statistics_;
};

} // namespace sotto::cli
