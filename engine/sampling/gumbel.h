// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/sampling/candidates.h"

#include <cstdint>

namespace sotto::sampling {

/// Gumbel noise of one token at one position: -log(-log(u)), u from a counter-based generator keyed
/// by seed, position and token id. It depends on nothing else: a seed means the same whatever was
/// computed before, in whatever batch (numerics, rule 9).
double gumbel_noise(std::uint64_t seed, std::int64_t position, std::int32_t id);

/// The candidate with the largest logit / temperature + noise, the lowest id on a tie: a draw from
/// the softmax at that temperature. candidates not empty, temperature > 0.
std::int32_t gumbel_pick(const Candidates& candidates, float temperature, std::uint64_t seed,
                         std::int64_t position);

} // namespace sotto::sampling
