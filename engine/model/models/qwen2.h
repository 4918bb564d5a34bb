// SPDX-License-Identifier: Apache-2.0
// Qwen2, Qwen2.5: as Llama, with biases on queries, keys and values.
#pragma once

#include "engine/model/registry.h"

namespace sotto::model::qwen2 {

inline constexpr const char* kHubTypes[] = {"qwen2"};
inline constexpr HubTraits kHubTraits{};
void read_gguf(GgufKeys& keys, ModelConfig& config);
void read_hub(HubKeys& keys, ModelConfig& config);
void bind(const ModelConfig& config, WeightLoader& loader, Weights& weights);
void plan(StepContext& context, StepPlan& plan);

} // namespace sotto::model::qwen2
