// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/model/registry.h"

/// Llama 2 and 3, SmolLM2, Mistral: RMSNorm, grouped-query attention, RoPE, SwiGLU, tied or own
/// output.
namespace sotto::model::llama {

void adjust(ModelConfig& config);
void bind(const ModelConfig& config, WeightLoader& loader, Weights& weights);
void plan(StepContext& context, StepPlan& plan);

} // namespace sotto::model::llama
