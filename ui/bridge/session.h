// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/bridge/memory_settings.h"

#include <memory>

namespace sotto::ui {

/// What is known of the open model, as a value for the window.
struct ModelDetails {
    ModelInfo info;
    int nCtx = 0; ///< tokens that a chat may hold here; at most the trained length
    int nThreads = 0;
    MemorySettings memory; ///< what its engine was made with; the policy is not among it
};

/// A loaded model with the engine that runs it. Letting go of the last reference joins the engine's
/// thread and frees the weights: only ever on a Worker.
struct Session {
    std::uint64_t id = 0; ///< of the load it came from
    std::shared_ptr<const Model> model;
    std::unique_ptr<Engine> engine; // dies before the model
    ModelDetails details;
};

} // namespace sotto::ui
