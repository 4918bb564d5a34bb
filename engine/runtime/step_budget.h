// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

namespace sotto::runtime {

/// How many prompt rows a step may take beside the rows of running answers, so that it lasts about
/// as long as wanted: found out from the steps before. Scheduler's thread.
class StepBudget {
  public:
    static constexpr std::int64_t kFewest = 8; // a prompt moves on however slow the model is

    /// `fixed_rows`: so many whatever they take; 0: by time.
    StepBudget(double wanted_ms, std::int64_t fixed_rows, std::int64_t most_rows)
        : wanted_ms_(wanted_ms), fixed_rows_(fixed_rows), most_rows_(most_rows) {}

    [[nodiscard]] std::int64_t rows() const {
        return std::min(fixed_rows_ > 0 ? fixed_rows_ : rows_, most_rows_);
    }
    /// A step with n prompt rows beside answers took `ms`.
    void took(std::int64_t n, double ms) {
        // Few rows say little of what many cost: reading the weights is shared by all.
        if (ms <= 0 || (n < rows_ / 2 && ms < wanted_ms_)) {
            return;
        }
        const double fitting = wanted_ms_ / ms * static_cast<double>(n);
        const auto next = static_cast<std::int64_t>((static_cast<double>(rows_) + fitting) / 2);
        rows_ = std::clamp(next, kFewest, 2 * rows_);
    }

  private:
    double wanted_ms_;
    std::int64_t fixed_rows_, most_rows_;
    std::int64_t rows_ = 32;
};

} // namespace sotto::runtime
