// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine.h"
#include "engine/model/config.h"
#include "engine/model/model_source.h"

#include <string>

namespace sotto::model {

/// "dir/SmolLM2-135M-Instruct.Q4_1.gguf" is "SmolLM2-135M-Instruct", a set of files and a folder
/// are their names: people know their files by name, while general.name is whatever the converter
/// was told, often a training run's label.
std::string display_name(const std::string& path);

/// What source and config tell of a model; tokenizer and template are left to the caller.
void describe(const ModelSource& source, const ModelConfig& config, ModelInfo& info);

} // namespace sotto::model
