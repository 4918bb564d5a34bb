// SPDX-License-Identifier: Apache-2.0
#include "engine/sampling/repeat_penalty.h"

#include <algorithm>

namespace sotto::sampling {

void repeat_penalty(std::span<float> logits, std::span<const std::int32_t> recent, float penalty,
                    std::vector<std::int32_t>& seen) {
    seen.assign(recent.begin(), recent.end());
    std::ranges::sort(seen);
    const auto last = std::unique(seen.begin(), seen.end());
    for (auto it = seen.begin(); it != last; ++it) {
        if (*it >= 0 && static_cast<std::size_t>(*it) < logits.size()) {
            float& logit = logits[static_cast<std::size_t>(*it)];
            logit = logit > 0 ? logit / penalty : logit * penalty;
        }
    }
}

} // namespace sotto::sampling
