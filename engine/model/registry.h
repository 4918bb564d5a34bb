// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/model/loader.h"
#include "engine/model/step_context.h"

#include <string>
#include <string_view>

namespace sotto::model {

/// One row for each architecture: a file in models/ defines the functions.
struct Architecture {
    const char* name; // general.architecture
    /// Sets what the architecture fixes and the file does not say (RoPE style).
    void (*adjust)(ModelConfig& config);
    /// Names every tensor the model needs, with its shape.
    void (*bind)(const ModelConfig& config, WeightLoader& loader, Weights& weights);
    /// Appends the forward pass of the context's rows.
    void (*plan)(StepContext& context, StepPlan& plan);
};

/// Null for an unknown name.
const Architecture* find_architecture(std::string_view name);
/// "llama, qwen2, ...", for messages.
std::string known_architectures();

} // namespace sotto::model
