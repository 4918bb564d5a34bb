// SPDX-License-Identifier: Apache-2.0
// Gemma 3, its text part: norms before and after attention and feed-forward, QK-norm, GELU, scaled
// embeddings, and five layers with a sliding window to one that sees everything.
#pragma once

#include "engine/model/registry.h"

namespace sotto::model::gemma3 {

// "gemma3": the text part of one for images and text (hub_text_part.h).
inline constexpr const char* kHubTypes[] = {"gemma3_text", "gemma3"};
inline constexpr HubTraits kHubTraits{
    .norms_less_one = true, .sandwich_norms = true, .tied_by_default = true};
void read_gguf(GgufKeys& keys, ModelConfig& config);
void read_hub(HubKeys& keys, ModelConfig& config);
void bind(const ModelConfig& config, WeightLoader& loader, Weights& weights);
void plan(StepContext& context, StepPlan& plan);

} // namespace sotto::model::gemma3
