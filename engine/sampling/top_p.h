// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/sampling/candidates.h"

namespace sotto::sampling {

/// Keeps the likeliest candidates whose probabilities (softmax over the candidates, given
/// `log_sum_exp` of their logits) add up to p, at least one; likeliest first.
void top_p(Candidates& candidates, float p, float log_sum_exp);

} // namespace sotto::sampling
