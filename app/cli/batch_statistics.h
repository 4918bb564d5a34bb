// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/session.h"

#include <string>
#include <vector>

namespace sotto::cli {

/// What a batch came to. One thread.
class BatchStatistics {
  public:
    void add(const Outcome& outcome, std::size_t n_prompt);
    void add_failure() { ++n_failed_; }
    [[nodiscard]] bool has_failures() const { return n_failed_ > 0; }
    /// "3 requests, 45 prompt tokens (12 reused), ..."; `seconds`: from the first to the last.
    [[nodiscard]] std::string text(double seconds) const;

  private:
    long long n_requests_ = 0, n_failed_ = 0;
    long long prompt_tokens_ = 0, reused_tokens_ = 0, answer_tokens_ = 0;
    std::vector<float> ttft_ms_;
};

} // namespace sotto::cli
