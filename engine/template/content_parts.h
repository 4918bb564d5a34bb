// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine.h"

#include <span>
#include <string_view>
#include <vector>

namespace sotto::chat {

bool have_parts(std::span<const ChatMessage> messages);
/// The same with content as text alone.
std::vector<ChatMessage> without_parts(std::span<const ChatMessage> messages);

/// Whether a template that was given lists of parts did not take them apart: it wrote a list as it
/// is printed, or left out text that it writes where the parts are joined.
bool mangles_parts(std::string_view as_lists, std::string_view as_text,
                   std::span<const ChatMessage> messages);

} // namespace sotto::chat
