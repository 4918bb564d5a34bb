// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace sotto::jinja {

enum class TokenType : std::uint8_t {
    data,           // text outside of tags, white space control applied
    variable_begin, // {{
    variable_end,
    block_begin, // {%
    block_end,
    name,
    string, // with its quotes
    integer,
    number,
    op, // one or two characters
    end,
};

struct Token {
    TokenType type = TokenType::end;
    std::uint32_t line = 1;
    std::string_view text; // of the source
};

/// Cuts a source into tokens; the last is `end`. Comments and raw blocks are dissolved, trim_blocks
/// and lstrip_blocks are on. `source` must have its line ends normalized and outlive the tokens.
/// Throws Failure with "line N: ...".
std::vector<Token> tokenize(std::string_view source);

} // namespace sotto::jinja
