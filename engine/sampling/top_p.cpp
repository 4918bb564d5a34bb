// SPDX-License-Identifier: Apache-2.0
#include "engine/sampling/top_p.h"

#include "kernels/math.h"

#include <algorithm>

namespace sotto::sampling {

void top_p(Candidates& candidates, float p, float log_sum_exp) {
    // Sorting a whole vocabulary costs milliseconds and nearly all of it is never looked at: sort
    // ever larger fronts until one holds enough.
    double sum = 0;
    std::size_t sorted = 0;
    for (std::size_t front = 64; sorted < candidates.size(); front *= 4) {
        const std::size_t end = std::min(front, candidates.size());
        std::partial_sort(candidates.begin() + static_cast<std::ptrdiff_t>(sorted),
                          candidates.begin() + static_cast<std::ptrdiff_t>(end), candidates.end(),
                          likelier);
        for (; sorted < end; ++sorted) {
            sum += static_cast<double>(kernels::exp_f32(candidates[sorted].logit - log_sum_exp));
            if (sum >= static_cast<double>(p)) {
                candidates.resize(sorted + 1);
                return;
            }
        }
    }
}

} // namespace sotto::sampling
