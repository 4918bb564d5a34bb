// SPDX-License-Identifier: Apache-2.0
// Log-probabilities of a whole vocabulary in two bytes each, and the divergence of two such rows.
//
// Code c of a token says that its logit is 32 * (c / 65535)^2 below the row's largest: fine steps
// where probabilities are large (2e-4 at 1 nat below the top, 1e-3 at the most), and nothing of
// weight beyond them (exp(-32) is 1e-14). Rows are normalised when they are read, so that rounding
// acts on a divergence in second order only; both rows are rounded alike: equal logits give 0.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace sotto::cli {

using LogProbCode = std::uint16_t;

/// codes[n_vocab] of logits[n_vocab]; false, and nothing of use, if a logit is NaN or the largest
/// is infinite. The same codes everywhere.
bool encode_log_probs(std::span<const float> logits, std::span<LogProbCode> codes);

/// What one position came to.
struct Divergence {
    double kl = 0; ///< sum of p * (log p - log q), in nats; at least 0
    bool same_top = false;
};

class LogProbTable {
  public:
    LogProbTable();
    /// p and q have one length.
    [[nodiscard]] Divergence divergence(std::span<const LogProbCode> p,
                                        std::span<const LogProbCode> q) const;

  private:
    std::vector<double> below_;  ///< [65536] of a code: nats below the top
    std::vector<double> weight_; ///< [65536] exp(-below)
};

} // namespace sotto::cli
