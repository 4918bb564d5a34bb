// SPDX-License-Identifier: Apache-2.0
#include "engine/model/model_source.h"

#include "engine/formats/model_kind.h"

namespace sotto::model {

Result<std::unique_ptr<ModelSource>> open_model_source(const std::string& path) {
    const auto kind = formats::find_model_kind(path);
    if (!kind) {
        return kind.error();
    }
    return *kind == formats::ModelKind::gguf ? open_gguf_source(path) : open_hub_source(path);
}

} // namespace sotto::model
