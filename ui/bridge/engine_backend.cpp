// SPDX-License-Identifier: Apache-2.0
#include "ui/bridge/engine_backend.h"

#include <utility>

namespace sotto::ui {

Result<std::shared_ptr<const Model>> EngineBackend::loadModel(const std::string& path,
                                                              const LoadOptions& options) {
    return load_model(path, options);
}

Result<std::unique_ptr<Engine>> EngineBackend::createEngine(std::shared_ptr<const Model> model,
                                                            const EngineOptions& options) {
    return create_engine(std::move(model), options);
}

} // namespace sotto::ui
