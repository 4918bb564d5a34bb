// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/template/chat_template.h"

namespace sotto::chat {

/// "<|start_header_id|>ROLE<|end_header_id|>\n\nCONTENT<|eot_id|>" for each message, contents
/// trimmed, after one begin token.
std::unique_ptr<ChatTemplate> make_llama3(const tokenizer::Tokenizer& tokenizer);

} // namespace sotto::chat
