// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/gguf.h"
#include "engine/model/config.h"
#include "engine/model/key_reader.h"

#include <string>
#include <vector>

namespace sotto::model {

using GgufKeys = KeyReader<formats::GgufFile>;

/// Reads "{architecture}.*" keys, then what the architecture's own file adds. n_vocab is what
/// they say, or 0: the weights have the last word. `warnings` gets a sentence for each default
/// taken.
Result<ModelConfig> read_gguf_config(const formats::GgufFile& file,
                                     std::vector<std::string>& warnings);

} // namespace sotto::model
