// SPDX-License-Identifier: Apache-2.0
// A byte-level vocabulary for tests: 256 byte tokens, what a list of merges makes, then special
// tokens.
#pragma once

#include "engine/tokenizer/byte_level.h"
#include "engine/tokenizer/tokenizer.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sotto::test {

using tokenizer::TokenId;
using tokenizer::TokenType;

inline tokenizer::Vocabulary small_vocabulary(const std::vector<std::string>& merges = {
                                                  "h e", "l l", "he ll", "hell o", "Ġ t", "Ġ Ġ"}) {
    tokenizer::Vocabulary v;
    v.model = "gpt2";
    v.pre = "gpt-2";
    for (const std::string& spelling : tokenizer::byte_stand_ins()) {
        v.tokens.push_back(spelling);
    }
    for (std::string merge : merges) {
        v.merges.push_back(merge);
        std::erase(merge, ' ');
        v.tokens.push_back(merge);
    }
    v.types.assign(v.tokens.size(), static_cast<std::int32_t>(TokenType::normal));
    return v;
}

inline TokenId add_token(tokenizer::Vocabulary& v, const std::string& text, TokenType type) {
    v.tokens.push_back(text);
    v.types.push_back(static_cast<std::int32_t>(type));
    return static_cast<TokenId>(v.tokens.size()) - 1;
}

struct Made {
    std::unique_ptr<tokenizer::Tokenizer> tokenizer;
    std::vector<std::string> warnings;

    [[nodiscard]] std::vector<TokenId> encode(std::string_view text,
                                              bool parse_special = false) const {
        std::vector<TokenId> ids;
        tokenizer->encode(text, parse_special, ids);
        return ids;
    }
    [[nodiscard]] std::string decode(const std::vector<TokenId>& ids, bool special = false) const {
        std::string text;
        for (const TokenId id : ids) {
            text += tokenizer->token_bytes(id, special);
        }
        return text;
    }
    /// Spellings, for messages that can be read.
    [[nodiscard]] std::vector<std::string> pieces(std::string_view text,
                                                  bool parse_special = false) const {
        std::vector<std::string> texts;
        for (const TokenId id : encode(text, parse_special)) {
            texts.push_back(tokenizer->vocabulary().tokens[static_cast<std::size_t>(id)]);
        }
        return texts;
    }
};

inline Made make(tokenizer::Vocabulary v) {
    Made made;
    auto result = tokenizer::make_tokenizer(std::move(v), made.warnings);
    REQUIRE_MESSAGE(result.has_value(), (result ? std::string() : result.error().message));
    made.tokenizer = *std::move(result);
    return made;
}

/// A word of a warning, so that a case can say which it expects.
inline bool warns_of(const Made& made, std::string_view part) {
    return std::ranges::any_of(
        made.warnings, [&](const std::string& w) { return w.find(part) != std::string::npos; });
}

} // namespace sotto::test
