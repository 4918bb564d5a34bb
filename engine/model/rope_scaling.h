// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/model/config.h"

namespace sotto::model {

/// Divisors of the n_rot/2 frequencies, rounded once from double; empty where all are 1.
/// Sources: linear, the key rope.scaling.factor; llama3, the Llama 3.1 release; yarn, Peng et al.
/// 2023 (arXiv 2309.00071), section 3.2.
std::vector<float> rope_divisors(const ModelConfig& config);

/// What yarn multiplies cos and sin by; both queries and keys are turned, so scores grow by its
/// square. 1 for the other kinds.
double rope_magnitude(const RopeScaling& scaling);

} // namespace sotto::model
