// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sotto::utf8 {

/// What stands at the front of a byte string.
struct Decoded {
    char32_t code_point = 0; // U+FFFD where invalid
    std::size_t n_bytes = 0; // consumed; of an invalid part its longest valid beginning, at least 1
    bool valid = false;
    bool incomplete = false; // valid so far, but the bytes end before the character does
};

/// Decodes the first character of a non-empty string. Surrogates, overlong forms and values above
/// U+10FFFF are invalid (Unicode 15, table 3-7).
Decoded decode(std::string_view bytes);

[[nodiscard]] bool valid(std::string_view bytes);

/// Bytes at the end that begin a character whose rest is missing: 0 to 3.
[[nodiscard]] std::size_t incomplete_tail(std::string_view bytes);

/// A copy with each invalid part replaced by U+FFFD.
[[nodiscard]] std::string sanitize(std::string_view bytes);

} // namespace sotto::utf8
