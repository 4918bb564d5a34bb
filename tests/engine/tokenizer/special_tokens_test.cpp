// SPDX-License-Identifier: Apache-2.0
#include "engine/tokenizer/special_tokens.h"

#include <doctest/doctest.h>

#include <random>
#include <string>

using namespace sotto::tokenizer;

namespace {

/// With the whole text trusted.
SpecialTokens::Match find(const SpecialTokens& tokens, std::string_view text) {
    const Span all{0, text.size()};
    return tokens.find(text, 0, std::span(&all, 1));
}

} // namespace

TEST_CASE("the first place, there the longest token, as by trying all") {
    std::mt19937 random(5);
    for (int round = 0; round < 2000; ++round) {
        std::vector<std::string> spellings(random() % 8);
        for (std::string& s : spellings) {
            for (auto n = random() % 5; n > 0; --n) {
                s += "<|a\xFF"[random() % 4];
            }
        }
        std::vector<SpecialTokens::Token> tokens;
        for (std::size_t i = 0; i < spellings.size(); ++i) {
            tokens.push_back({spellings[i], static_cast<std::int32_t>(i), false, {}});
        }
        const SpecialTokens special(tokens);
        std::string text;
        for (auto n = random() % 20; n > 0; --n) {
            text += "<|a\xFF"[random() % 4];
        }
        SpecialTokens::Match expected;
        for (std::size_t at = 0; at < text.size() && expected.id < 0; ++at) {
            for (std::size_t i = 0; i < spellings.size(); ++i) {
                const std::string& s = spellings[i];
                if (!s.empty() && text.compare(at, s.size(), s) == 0 &&
                    s.size() > expected.end - expected.begin) {
                    expected = {at, at + s.size(), static_cast<std::int32_t>(i)};
                }
            }
        }
        const SpecialTokens::Match match = find(special, text);
        REQUIRE(match.id == expected.id);
        REQUIRE(match.begin == expected.begin);
        REQUIRE(match.end == expected.end);
    }
}

TEST_CASE("a spelling beyond the limit is never found, so that no text takes long") {
    const std::string longest(SpecialTokens::kMaxBytes, 'a'),
        longer(SpecialTokens::kMaxBytes + 1, 'a');
    CHECK(find(SpecialTokens({{longest, 3}}), "b" + longer).begin == 1);
    CHECK(find(SpecialTokens({{longer, 3}}), "b" + longer).id == -1);
    CHECK(find(SpecialTokens(), "abc").id == -1);
}
