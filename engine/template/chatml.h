// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/template/chat_template.h"

namespace sotto::chat {

/// "<|im_start|>ROLE\nCONTENT<|im_end|>\n" for each message. From `source` (may be empty) it takes
/// the default system message and whether the begin token is written.
std::unique_ptr<ChatTemplate> make_chatml(std::string_view source,
                                          const tokenizer::Tokenizer& tokenizer);

/// The system message that a ChatML template writes when a chat has none: what stands between
/// "<|im_start|>system\n" and "<|im_end|>" in one of its constant texts. Empty if there is none.
std::string default_system_message(std::string_view source);

} // namespace sotto::chat
