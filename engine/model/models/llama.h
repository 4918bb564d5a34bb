// SPDX-License-Identifier: Apache-2.0
// Llama 2, 3, 3.1 to 3.3, SmolLM2, Mistral and others of the same shape: RMSNorm, grouped-query
// attention, RoPE, SwiGLU.
#pragma once

#include "engine/model/registry.h"

namespace sotto::model::llama {

inline constexpr const char* kHubTypes[] = {"llama", "mistral"};
inline constexpr HubTraits kHubTraits{.permute_rope_rows = true};
void read_gguf(GgufKeys& keys, ModelConfig& config);
void read_hub(HubKeys& keys, ModelConfig& config);
void bind(const ModelConfig& config, WeightLoader& loader, Weights& weights);
void plan(StepContext& context, StepPlan& plan);

} // namespace sotto::model::llama
