// SPDX-License-Identifier: Apache-2.0
#include "app/cli/divergence.h"

#include <algorithm>
#include <cmath>

namespace sotto::cli {
namespace {

/// Between the two nearest values in proportion, as numpy.quantile has it.
double quantile(const std::vector<double>& sorted, double q) {
    const double at = q * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(at);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

} // namespace

void DivergenceStatistics::add(const Divergence& divergence, double base_nll, double nll) {
    kl_.push_back(divergence.kl);
    n_same_top_ += divergence.same_top ? 1 : 0;
    base_.add(base_nll);
    difference_.add(nll - base_nll);
}

DivergenceReport DivergenceStatistics::report(const std::string& base_model) const {
    std::vector<double> sorted = kl_;
    std::ranges::sort(sorted);
    Score score;
    for (const double kl : sorted) {
        score.add(kl);
    }
    const auto n = static_cast<double>(kl_.size());
    const double same = static_cast<double>(n_same_top_) / n;
    return {.mean = score.mean(),
            .mean_error = score.mean_error(),
            .median = quantile(sorted, 0.5),
            .p90 = quantile(sorted, 0.9),
            .p95 = quantile(sorted, 0.95),
            .p99 = quantile(sorted, 0.99),
            .max = sorted.back(),
            .same_top = same,
            .same_top_error = n > 1 ? std::sqrt(same * (1 - same) / (n - 1)) : 0,
            .base_model = base_model,
            .base_ppl = base_.ppl(),
            .base_ppl_error = base_.ppl_error(),
            .ppl_ratio = difference_.ppl(),
            .ppl_ratio_error = difference_.ppl_error()};
}

} // namespace sotto::cli
