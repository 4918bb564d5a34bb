// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace sotto::tokenizer {

/// Marks of chats and texts that are known by their spelling. Files name one end token, their
/// models write any of these that they have.
struct Mark {
    std::string_view text;
    bool ends_turn = false;
    bool always_control = false; // whatever type the file gives it
};

/// A user-defined token that may be the mark of a chat, a thought, an image: all in angle or square
/// brackets but the elements of web pages, "<td>". Nobody can list all marks there will be.
bool looks_like_mark(std::string_view text);

/// Null for what is no known mark.
const Mark* find_mark(std::string_view text);

} // namespace sotto::tokenizer
