// SPDX-License-Identifier: Apache-2.0
#include "app/cli/operation_totals.h"

#include <algorithm>

namespace sotto::cli {

double OperationTotal::read_gb_per_s() const {
    return seconds > 0 ? static_cast<double>(weight_bytes) * 1e-9 / seconds : 0;
}

double OperationTotal::giga_ops() const {
    return seconds > 0 ? 2e-9 * static_cast<double>(n_products) / seconds : 0;
}

void OperationTotals::add(std::span<const OperationTime> step) {
    for (const OperationTime& time : step) {
        auto total = std::ranges::find(totals_, time.name, &OperationTotal::name);
        if (total == totals_.end()) {
            total = totals_.insert(totals_.end(), OperationTotal{time.name});
        }
        total->seconds += time.seconds;
        total->weight_bytes += time.weight_bytes;
        total->n_products += time.n_products;
    }
}

double seconds_of(const std::vector<OperationTotal>& totals) {
    double sum = 0;
    for (const OperationTotal& total : totals) {
        sum += total.seconds;
    }
    return sum;
}

} // namespace sotto::cli
