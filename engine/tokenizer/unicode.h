// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace sotto::tokenizer {

/// U+2581, which SentencePiece writes for a blank.
inline constexpr std::string_view kMetaBlank = "\xE2\x96\x81";

/// White_Space of Unicode 15.
[[nodiscard]] bool is_white_space(char32_t c);
/// A letter, mark, digit or underscore: what a word is made of.
[[nodiscard]] bool is_word_character(char32_t c);
/// Bytes of white space at the front, at the end of a text.
[[nodiscard]] std::size_t leading_white_space(std::string_view text);
[[nodiscard]] std::size_t trailing_white_space(std::string_view text);
/// Of the last character of a text that is not empty; U+FFFD if it is none.
[[nodiscard]] char32_t last_character(std::string_view text);

} // namespace sotto::tokenizer
