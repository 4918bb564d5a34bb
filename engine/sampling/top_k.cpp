// SPDX-License-Identifier: Apache-2.0
#include "engine/sampling/top_k.h"

#include <algorithm>

namespace sotto::sampling {

void top_k(std::span<const float> logits, int k, Candidates& out) {
    out.clear();
    const auto n = static_cast<std::int32_t>(logits.size());
    if (k <= 0 || k >= n) {
        for (std::int32_t id = 0; id < n; ++id) {
            out.push_back({id, logits[static_cast<std::size_t>(id)]});
        }
        return;
    }
    // A heap of the best k so far, the least likely on top: nearly every token fails one
    // comparison.
    for (std::int32_t id = 0; id < n; ++id) {
        const Candidate c{id, logits[static_cast<std::size_t>(id)]};
        if (id < k) {
            out.push_back(c);
            std::ranges::push_heap(out, likelier);
        } else if (c.logit > out.front().logit) {
            std::ranges::pop_heap(out, likelier);
            out.back() = c;
            std::ranges::push_heap(out, likelier);
        }
    }
    std::ranges::sort(out, likelier);
}

} // namespace sotto::sampling
