// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"

#include <string>

namespace sotto::formats {

enum class ModelKind {
    gguf,       ///< GgufFile::open takes the path
    hub_folder, ///< HubFolder::open takes it
};

/// What a file or folder is to be opened as. A folder needs a config.json, itself or
/// in its snapshot (hub_cache.h). A file that begins with
/// "GGUF" is one whatever its name; others of a model's folder (safetensors, JSON, a template)
/// stand for that folder. The Error says what it is instead. `path` is UTF-8.
Result<ModelKind> find_model_kind(const std::string& path);

/// What a folder without weights that can be read has instead, as the end of a sentence: "; it
/// holds 'pytorch_model.bin', a PyTorch checkpoint, which is not supported". Empty if nothing
/// known.
std::string other_weights(const std::string& folder);

} // namespace sotto::formats
