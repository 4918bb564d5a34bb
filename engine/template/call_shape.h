// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine.h"

#include <span>
#include <string_view>

namespace sotto::chat {

/// How an assistant's tool calls reach a template: the protocol has it one way, some templates were
/// written for another.
struct CallShape {
    bool null_content = false;   // where there is no text beside a call; else ""
    bool text_arguments = false; // JSON text; else a mapping
};

bool have_calls(std::span<const ChatMessage> messages);
/// A call without a word beside it.
bool is_bare_call(const ChatMessage& message);

/// Whether a template does worse with null beside a call than with "": it wrote None, or left out
/// calls.
bool null_is_worse(std::string_view with_null, std::string_view with_text,
                   std::span<const ChatMessage> messages);

} // namespace sotto::chat
