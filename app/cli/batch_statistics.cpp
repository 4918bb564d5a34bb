// SPDX-License-Identifier: Apache-2.0
#include "app/cli/batch_statistics.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace sotto::cli {
namespace {

/// By nearest rank: a value that was measured.
double percentile(const std::vector<float>& sorted, double share) {
    const auto rank = std::ceil(share * static_cast<double>(sorted.size()));
    return sorted.empty() ? 0 : sorted[static_cast<std::size_t>(std::max(rank, 1.0)) - 1];
}

} // namespace

void BatchStatistics::add(const Outcome& outcome, std::size_t n_prompt) {
    ++n_requests_;
    prompt_tokens_ += static_cast<long long>(n_prompt);
    reused_tokens_ += outcome.timings.reused_tokens;
    answer_tokens_ += static_cast<long long>(outcome.token_ids.size());
    if (!outcome.token_ids.empty()) {
        ttft_ms_.push_back(static_cast<float>(outcome.timings.ttft_ms));
    }
}

std::string BatchStatistics::text(double seconds) const {
    std::vector<float> ttft_ms = ttft_ms_;
    std::ranges::sort(ttft_ms);
    const auto n_tokens = static_cast<double>(prompt_tokens_ + answer_tokens_);
    char text[300];
    std::snprintf(text, sizeof text,
                  "%lld requests, %lld failed lines, %lld prompt tokens (%lld reused), %lld answer "
                  "tokens, %.1f t/s in all, first token p50 %.0f ms, p95 %.0f ms",
                  n_requests_, n_failed_, prompt_tokens_, reused_tokens_, answer_tokens_,
                  seconds > 0 ? n_tokens / seconds : 0, percentile(ttft_ms, 0.5),
                  percentile(ttft_ms, 0.95));
    return text;
}

} // namespace sotto::cli
