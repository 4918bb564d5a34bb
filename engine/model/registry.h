// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/model/gguf_config.h"
#include "engine/model/hub_config.h"
#include "engine/model/hub_names.h"
#include "engine/model/loader.h"
#include "engine/model/step_context.h"

#include <span>
#include <string>
#include <string_view>

namespace sotto::model {

/// One row for each architecture: a file in models/ defines the functions.
struct Architecture {
    const char* name;                       // general.architecture of a GGUF file
    std::span<const char* const> hub_types; // model_type of a config.json
    /// What the architecture fixes and the common keys do not say (RoPE style, which layers rotate
    /// or see a window only), and keys of its own. Failures go to `keys`.
    void (*read_gguf)(GgufKeys& keys, ModelConfig& config);
    void (*read_hub)(HubKeys& keys, ModelConfig& config);
    /// How a folder's tensors differ from the common ones.
    HubTraits hub;
    /// Names every tensor the model needs, as GGUF does, with its shape.
    void (*bind)(const ModelConfig& config, WeightLoader& loader, Weights& weights);
    /// Appends the forward pass of the context's rows.
    void (*plan)(StepContext& context, StepPlan& plan);
};

/// Null for an unknown name.
const Architecture* find_architecture(std::string_view name);
const Architecture* find_hub_architecture(std::string_view model_type);
/// Names it, and those that are known.
Error unknown_architecture(std::string_view name);
Error unknown_hub_architecture(std::string_view model_type);

} // namespace sotto::model
