// SPDX-License-Identifier: Apache-2.0
// Settings that change what a model computes and that no architecture here reads: each is refused
// by its name, because an answer would be wrong without a word.
#pragma once

#include "engine/model/gguf_config.h"
#include "engine/model/hub_config.h"

namespace sotto::model {

// After the architecture has read its own keys. Failures go to `keys`.
void refuse_gguf_keys(GgufKeys& keys, const ModelConfig& config);
void refuse_hub_keys(HubKeys& keys, const ModelConfig& config);

/// "quantization_config": the weights are stored in a packing of its own.
Result<void> refuse_quantized(const formats::HubConfig& config);

} // namespace sotto::model
