// SPDX-License-Identifier: Apache-2.0
#include "engine/sampling/min_p.h"

#include "kernels/math.h"

#include <algorithm>

namespace sotto::sampling {

void min_p(Candidates& candidates, float p) {
    const float best = std::ranges::max_element(candidates, {}, &Candidate::logit)->logit;
    const double limit = static_cast<double>(best) + kernels::log_f64(static_cast<double>(p));
    std::erase_if(candidates,
                  [limit](const Candidate& c) { return static_cast<double>(c.logit) < limit; });
}

} // namespace sotto::sampling
