// SPDX-License-Identifier: Apache-2.0
// What the architectures share: one decoder block after the other, each attention and a gated
// feed-forward, both added to the residual stream.
#pragma once

#include "engine/model/loader.h"
#include "engine/model/step_context.h"

namespace sotto::model::decoder {

/// Which tensors a block has beside the seven products and two norms that all have.
struct Parts {
    enum class Need : std::uint8_t {
        none,     ///< such a tensor is not looked for
        optional, ///< used if it is there
        required,
    };
    Need qkv_bias = Need::none;
    bool qk_norm = false;
    bool post_norms = false; ///< post_attention_norm, post_ffw_norm
};

void bind(const ModelConfig& config, const Parts& parts, WeightLoader& loader, Weights& weights);
/// Embedding, blocks, output; ops leave out what the weights do not have.
void plan(StepContext& context, StepPlan& plan);

} // namespace sotto::model::decoder
