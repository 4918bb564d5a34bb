// SPDX-License-Identifier: Apache-2.0
#include "engine/template/content_parts.h"

#include <algorithm>

namespace sotto::chat {
namespace {

constexpr std::string_view kPrintedPart = "{'type': 'text', 'text': ";

std::size_t count_of(std::string_view text, std::string_view part) {
    std::size_t n = 0;
    for (std::size_t at = 0; (at = text.find(part, at)) != std::string_view::npos;
         at += part.size()) {
        ++n;
    }
    return n;
}

/// Templates cut blanks at the ends.
std::string_view without_blanks(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos) {
        return {};
    }
    return text.substr(begin, text.find_last_not_of(" \t\r\n") + 1 - begin);
}

} // namespace

bool have_parts(std::span<const ChatMessage> messages) {
    return std::ranges::any_of(messages,
                               [](const ChatMessage& m) { return !m.content_parts.empty(); });
}

std::vector<ChatMessage> without_parts(std::span<const ChatMessage> messages) {
    std::vector<ChatMessage> joined(messages.begin(), messages.end());
    for (ChatMessage& message : joined) {
        message.content_parts.clear();
    }
    return joined;
}

bool mangles_parts(std::string_view as_lists, std::string_view as_text,
                   std::span<const ChatMessage> messages) {
    if (count_of(as_lists, kPrintedPart) > count_of(as_text, kPrintedPart)) {
        return true;
    }
    for (const ChatMessage& message : messages) {
        for (const std::string& part : message.content_parts) {
            const std::string_view text = without_blanks(part);
            if (as_lists.find(text) == std::string_view::npos &&
                as_text.find(text) != std::string_view::npos) {
                return true;
            }
        }
    }
    return false;
}

} // namespace sotto::chat
