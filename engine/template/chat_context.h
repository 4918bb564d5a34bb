// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine.h"
#include "engine/template/call_shape.h"
#include "engine/template/jinja/value.h"
#include "engine/tokenizer/tokenizer.h"

#include <span>

namespace sotto::chat {

/// What templates see, named as transformers names it: messages, tools, documents,
/// add_generation_prompt, bos_token and the like, and enable_thinking where it is set. A tool
/// call's arguments are a mapping if they are JSON or empty, else text. bad_argument if the tools
/// are no JSON list.
Result<jinja::Value> chat_context(std::span<const ChatMessage> messages, const ChatOptions& options,
                                  const tokenizer::Tokenizer& tokenizer, CallShape shape = {});

} // namespace sotto::chat
