// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/sampling/candidates.h"

#include <span>

namespace sotto::sampling {

/// The k likeliest tokens, likeliest first; all of them, in order of id, where k is 0 or not less
/// than there are.
void top_k(std::span<const float> logits, int k, Candidates& out);

} // namespace sotto::sampling
