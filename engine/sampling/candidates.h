// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace sotto::sampling {

struct Candidate {
    std::int32_t id = 0;
    float logit = 0;
};

/// Likelier first; the lower id on a tie, so that every order is the only one.
inline bool likelier(const Candidate& a, const Candidate& b) {
    return a.logit > b.logit || (a.logit == b.logit && a.id < b.id);
}

using Candidates = std::vector<Candidate>;

} // namespace sotto::sampling
