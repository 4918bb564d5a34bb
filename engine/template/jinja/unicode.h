// SPDX-License-Identifier: Apache-2.0
// What Python's str knows of characters. Case and classes are exact for ASCII, Latin, Greek and
// Cyrillic; other letters have no case here. An invalid part of a text is a character, kept as it
// is.
#pragma once

#include "engine/base/utf8.h"

#include <string>
#include <string_view>

namespace sotto::jinja {

bool is_space(char32_t c);
bool is_digit(char32_t c);
bool is_alpha(char32_t c);
bool is_printable(char32_t c);
bool is_upper(char32_t c);
bool is_lower(char32_t c);
void append_upper(std::string& out, char32_t c);
void append_lower(std::string& out, char32_t c);
void append_utf8(std::string& out, char32_t c);

/// The character at the front of a non-empty text.
inline utf8::Decoded next_char(std::string_view bytes) {
    const auto first = static_cast<unsigned char>(bytes.front());
    return first < 0x80 ? utf8::Decoded{first, 1, true, false} : utf8::decode(bytes);
}

/// Characters of a text.
std::size_t n_chars(std::string_view bytes);
/// Byte offset of character `index`; the size if there are fewer.
std::size_t offset_of(std::string_view bytes, std::size_t index);

/// Length of the white space at the front, at the back.
std::size_t leading_space(std::string_view bytes);
std::size_t trailing_space(std::string_view bytes);

} // namespace sotto::jinja
