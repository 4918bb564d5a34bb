// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace sotto::sampling {

/// Makes each token of `recent` less likely, once however often it came: positive logits are
/// divided by the penalty, others multiplied (Keskar et al. 2019, CTRL, section 4.1). `seen` is
/// scratch.
void repeat_penalty(std::span<float> logits, std::span<const std::int32_t> recent, float penalty,
                    std::vector<std::int32_t>& seen);

} // namespace sotto::sampling
