// SPDX-License-Identifier: Apache-2.0
#include "app/cli/scoring.h"

#include <algorithm>
#include <cmath>

namespace sotto::cli {
namespace {

std::vector<Window> halves(std::size_t n_ctx, std::size_t n_tokens, std::size_t limit) {
    std::vector<Window> windows(std::min(n_tokens / n_ctx, limit));
    for (std::size_t i = 0; i < windows.size(); ++i) {
        windows[i] = {i * n_ctx, n_ctx, static_cast<Pos>(n_ctx / 2), static_cast<Pos>(n_ctx - 1)};
    }
    return windows;
}

std::vector<Window> sliding(std::size_t n_ctx, std::size_t stride, std::size_t n_tokens,
                            std::size_t limit) {
    std::vector<Window> windows;
    // Tokens before `scored` have been scored; the very first one cannot be.
    for (std::size_t begin = 0, scored = 1; scored < n_tokens && windows.size() < limit;
         begin += stride) {
        const std::size_t end = std::min(begin + n_ctx, n_tokens);
        windows.push_back({begin, end - begin, static_cast<Pos>(scored - begin - 1),
                           static_cast<Pos>(end - begin - 1)});
        scored = end;
    }
    return windows;
}

} // namespace

std::vector<Window> plan_windows(const WindowRule& rule, std::size_t n_tokens,
                                 std::int64_t max_windows) {
    const auto n_ctx = static_cast<std::size_t>(rule.n_ctx);
    const std::size_t limit = max_windows > 0 ? static_cast<std::size_t>(max_windows) : n_tokens;
    return rule.stride == 0
               ? halves(n_ctx, n_tokens, limit)
               : sliding(n_ctx, static_cast<std::size_t>(rule.stride), n_tokens, limit);
}

std::int64_t n_scored(const std::vector<Window>& windows) {
    std::int64_t n = 0;
    for (const Window& w : windows) {
        n += w.score_end - w.score_begin;
    }
    return n;
}

void Score::add(double nll) {
    sum_ += nll;
    sum_of_squares_ += nll * nll;
    ++n_;
}

double Score::mean_error() const {
    const double variance = sum_of_squares_ / static_cast<double>(n_) - mean() * mean();
    return n_ > 1 && variance > 0 ? std::sqrt(variance / static_cast<double>(n_ - 1)) : 0;
}

double Score::ppl() const {
    return std::exp(mean());
}

} // namespace sotto::cli
