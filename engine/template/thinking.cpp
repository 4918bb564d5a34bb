// SPDX-License-Identifier: Apache-2.0
#include "engine/template/chat_template.h"

#include <algorithm>

namespace sotto::chat {
namespace {

constexpr std::pair<std::string_view, std::string_view> kMarks[] = {
    {"<think>", "</think>"},     // SmolLM3, Qwen3, DeepSeek R1 and many more
    {"[THINK]", "[/THINK]"},     // Magistral
    {"<thought>", "</thought>"}, // some Gemma fine-tunes
    {"<seed:think>", "</seed:think>"},
};

} // namespace

/// By the template, which names the closing mark where it takes thoughts out of earlier turns or
/// writes an empty one, or opens one of the vocabulary's; without a template by the vocabulary.
ThinkingMarks ChatTemplate::thinking() const {
    for (const auto& [open, close] : kMarks) {
        const bool closes = source_.find(close) != std::string::npos;
        const bool opens = source_.find(open) != std::string::npos;
        const bool known = tokenizer_.find(open) >= 0 && tokenizer_.find(close) >= 0;
        if (closes || (known && (opens || source_.empty()))) {
            return {std::string(open), std::string(close)};
        }
    }
    return {};
}

bool ChatTemplate::can_switch_thinking() const {
    return own_ && source_.find("enable_thinking") != std::string::npos;
}

bool ends_in_thought(std::string_view text, const ThinkingMarks& marks) {
    if (marks.empty()) {
        return false;
    }
    const std::size_t end = text.find_last_not_of(" \t\r\n");
    return end != std::string_view::npos && text.substr(0, end + 1).ends_with(marks.open);
}

} // namespace sotto::chat
