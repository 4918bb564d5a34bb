// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine.h"

#include <memory>
#include <string>

namespace sotto::ui {

/// What the bridge needs of the engine. The real one forwards to engine/engine.h; tests put a fake
/// one here whose Model, Engine and Request are scripted.
class Backend {
  public:
    virtual ~Backend() = default;
    /// Blocks; the bridge calls it on a worker thread of its own.
    virtual Result<std::shared_ptr<const Model>> loadModel(const std::string& path,
                                                           const LoadOptions& options) = 0;
    virtual Result<std::unique_ptr<Engine>> createEngine(std::shared_ptr<const Model> model,
                                                         const EngineOptions& options) = 0;
};

} // namespace sotto::ui
