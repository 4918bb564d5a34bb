// SPDX-License-Identifier: Apache-2.0
// SmolLM3: as Llama, but every fourth layer rotates nothing (NoPE).
#pragma once

#include "engine/model/registry.h"

namespace sotto::model::smollm3 {

inline constexpr const char* kHubTypes[] = {"smollm3"};
inline constexpr HubTraits kHubTraits{.permute_rope_rows = true, .tied_by_default = true};
void read_gguf(GgufKeys& keys, ModelConfig& config);
void read_hub(HubKeys& keys, ModelConfig& config);
void bind(const ModelConfig& config, WeightLoader& loader, Weights& weights);
void plan(StepContext& context, StepPlan& plan);

} // namespace sotto::model::smollm3
