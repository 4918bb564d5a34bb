// SPDX-License-Identifier: Apache-2.0
// Which tokens of a text are scored in which window, and the sums over them.
#pragma once

#include "engine/engine.h"

#include <cstdint>
#include <vector>

namespace sotto::cli {

/// stride 0: windows follow each other, the second half of each is scored, the first half only
/// gives context; a last part shorter than a window is left out. stride n (1 to n_ctx - 1): windows
/// begin n tokens apart; the first scores all but its first token, later ones what no window before
/// them has scored: the last n tokens, or fewer at the end of the text.
struct WindowRule {
    int n_ctx = 512;
    int stride = 0;

    friend bool operator==(const WindowRule&, const WindowRule&) = default;
};

struct Window {
    std::size_t begin = 0, size = 0; ///< tokens of the text
    /// Positions in the window; each is the prediction of the token after it.
    Pos score_begin = 0, score_end = 0;
};

/// max_windows 0: all. Empty for a text that is too short.
std::vector<Window> plan_windows(const WindowRule& rule, std::size_t n_tokens,
                                 std::int64_t max_windows);
std::int64_t n_scored(const std::vector<Window>& windows);

/// Sums over the scored positions, in nats.
class Score {
  public:
    void add(double nll);
    [[nodiscard]] std::int64_t n() const { return n_; }
    [[nodiscard]] double mean() const { return sum_ / static_cast<double>(n_); }
    /// Standard error of the mean.
    [[nodiscard]] double mean_error() const;
    [[nodiscard]] double ppl() const;
    /// Standard error of the mean, carried over to the perplexity.
    [[nodiscard]] double ppl_error() const { return mean_error() * ppl(); }

  private:
    double sum_ = 0, sum_of_squares_ = 0;
    std::int64_t n_ = 0;
};

} // namespace sotto::cli
