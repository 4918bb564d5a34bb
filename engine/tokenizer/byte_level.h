// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace sotto::tokenizer {

/// Byte-level vocabularies spell each byte as one printable character: bytes that are printable in
/// Latin-1 stand for themselves, the other 68 are U+0100, U+0101, ... in order of the byte.
const std::array<std::string, 256>& byte_stand_ins();

/// Bytes that a token's spelling stands for. False if it holds a character that is no stand-in;
/// `bytes` is then unspecified.
bool bytes_of_stand_ins(std::string_view spelling, std::string& bytes);

/// SentencePiece vocabularies spell a byte that is no character of theirs as "<0x0A>".
[[nodiscard]] std::string token_of_byte(unsigned byte);
/// The byte that such a token stands for, -1 for any other text.
[[nodiscard]] int byte_of_token(std::string_view text);

} // namespace sotto::tokenizer
