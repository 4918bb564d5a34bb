// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine.h"

#include <span>
#include <string>
#include <vector>

namespace sotto::cli {

/// All operations of one name.
struct OperationTotal {
    std::string name;
    double seconds = 0;
    std::int64_t weight_bytes = 0, n_products = 0;

    [[nodiscard]] double read_gb_per_s() const;
    /// A product is a multiplication and an addition.
    [[nodiscard]] double giga_ops() const;
};

/// Where a test's time goes, in the order of a step.
class OperationTotals {
  public:
    void add(std::span<const OperationTime> step);
    void clear() { totals_.clear(); }
    [[nodiscard]] const std::vector<OperationTotal>& all() const { return totals_; }

  private:
    std::vector<OperationTotal> totals_;
};

double seconds_of(const std::vector<OperationTotal>& totals);

} // namespace sotto::cli
