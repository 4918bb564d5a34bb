// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/log_probs.h"
#include "app/cli/scoring.h"

#include <string>
#include <vector>

namespace sotto::cli {

/// How a run differs from a saved one, position by position. Natural logarithms; errors are
/// standard errors.
struct DivergenceReport {
    double mean = 0, mean_error = 0;
    double median = 0, p90 = 0, p95 = 0, p99 = 0, max = 0;
    double same_top = 0, same_top_error = 0; ///< share of positions with one likeliest token
    std::string base_model;
    double base_ppl = 0, base_ppl_error = 0;
    double ppl_ratio = 0, ppl_ratio_error = 0; ///< of this run to the saved one, from the pairs
};

class DivergenceStatistics {
  public:
    void add(const Divergence& divergence, double base_nll, double nll);
    /// After at least one position.
    [[nodiscard]] DivergenceReport report(const std::string& base_model) const;

  private:
    std::vector<double> kl_;
    std::int64_t n_same_top_ = 0;
    Score base_, difference_;
};

} // namespace sotto::cli
