// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/bridge/backend.h"

namespace sotto::ui {

/// The real engine of engine/engine.h.
class EngineBackend final : public Backend {
  public:
    Result<std::shared_ptr<const Model>> loadModel(const std::string& path,
                                                   const LoadOptions& options) override;
    Result<std::unique_ptr<Engine>> createEngine(std::shared_ptr<const Model> model,
                                                 const EngineOptions& options) override;
};

} // namespace sotto::ui
