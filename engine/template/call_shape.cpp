// SPDX-License-Identifier: Apache-2.0
#include "engine/template/call_shape.h"

#include <algorithm>

namespace sotto::chat {
namespace {

std::ptrdiff_t occurrences(std::string_view text, std::string_view word) {
    std::ptrdiff_t n = 0;
    for (std::size_t at = text.find(word); !word.empty() && at != std::string_view::npos;
         at = text.find(word, at + word.size())) {
        ++n;
    }
    return n;
}

} // namespace

bool have_calls(std::span<const ChatMessage> messages) {
    return std::ranges::any_of(messages,
                               [](const ChatMessage& m) { return !m.tool_calls.empty(); });
}

bool is_bare_call(const ChatMessage& message) {
    return !message.tool_calls.empty() && message.content.empty() && message.content_parts.empty();
}

bool null_is_worse(std::string_view with_null, std::string_view with_text,
                   std::span<const ChatMessage> messages) {
    for (const std::string_view printed : {"None", "null"}) {
        if (occurrences(with_null, printed) > occurrences(with_text, printed)) {
            return true;
        }
    }
    return std::ranges::any_of(messages, [&](const ChatMessage& message) {
        return std::ranges::any_of(message.tool_calls, [&](const ToolCall& call) {
            return occurrences(with_null, call.name) < occurrences(with_text, call.name);
        });
    });
}

} // namespace sotto::chat
