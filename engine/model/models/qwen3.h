// SPDX-License-Identifier: Apache-2.0
// Qwen3: as Llama, with a norm on each head of queries and keys, and head_dim of its own.
#pragma once

#include "engine/model/registry.h"

namespace sotto::model::qwen3 {

inline constexpr const char* kHubTypes[] = {"qwen3"};
inline constexpr HubTraits kHubTraits{};
void read_gguf(GgufKeys& keys, ModelConfig& config);
void read_hub(HubKeys& keys, ModelConfig& config);
void bind(const ModelConfig& config, WeightLoader& loader, Weights& weights);
void plan(StepContext& context, StepPlan& plan);

} // namespace sotto::model::qwen3
