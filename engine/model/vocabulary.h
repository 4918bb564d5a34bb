// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/gguf.h"
#include "engine/tokenizer/tokenizer.h"

namespace sotto::model {

/// The "tokenizer.ggml.*" keys of a file. Wrongly typed lists are errors naming the key.
Result<tokenizer::Vocabulary> read_vocabulary(const formats::GgufFile& file);

} // namespace sotto::model
