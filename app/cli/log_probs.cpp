// SPDX-License-Identifier: Apache-2.0
#include "app/cli/log_probs.h"

#include <algorithm>
#include <cmath>

namespace sotto::cli {
namespace {

constexpr double kRange = 32, kLargestCode = 65535;

} // namespace

bool encode_log_probs(std::span<const float> logits, std::span<LogProbCode> codes) {
    float top = logits.front();
    for (const float x : logits) {
        if (std::isnan(x)) {
            return false;
        }
        top = std::max(top, x);
    }
    if (std::isinf(top)) {
        return false;
    }
    for (std::size_t i = 0; i < logits.size(); ++i) {
        const double below =
            std::min(static_cast<double>(top) - static_cast<double>(logits[i]), kRange);
        // Square root, product and floor after adding a half: exact everywhere.
        codes[i] =
            static_cast<LogProbCode>(std::floor(kLargestCode * std::sqrt(below / kRange) + 0.5));
    }
    return true;
}

LogProbTable::LogProbTable() {
    for (int code = 0; code <= static_cast<int>(kLargestCode); ++code) {
        const double root = code / kLargestCode;
        below_.push_back(kRange * root * root);
        weight_.push_back(std::exp(-below_.back()));
    }
}

Divergence LogProbTable::divergence(std::span<const LogProbCode> p,
                                    std::span<const LogProbCode> q) const {
    double sum_p = 0, sum_q = 0, sum = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
        const double weight = weight_[p[i]];
        sum_p += weight;
        sum_q += weight_[q[i]];
        sum += weight * (below_[q[i]] - below_[p[i]]);
    }
    const double kl = sum / sum_p + std::log(sum_q) - std::log(sum_p);
    const auto top = [](std::span<const LogProbCode> row) {
        return std::ranges::min_element(row) - row.begin();
    };
    return {std::max(kl, 0.0), top(p) == top(q)};
}

} // namespace sotto::cli
