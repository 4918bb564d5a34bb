// SPDX-License-Identifier: Apache-2.0
#include "engine/tokenizer/byte_level.h"
#include "engine/tokenizer/pre_tokenizer.h"
#include "engine/tokenizer/tokenizer.h"
#include "tests/support/tiny_model.h"

#include <doctest/doctest.h>

#include <functional>
#include <random>

using namespace sotto;
using namespace sotto::tokenizer;
using sotto::test::TinyVocabulary;

namespace {

Vocabulary tiny(const std::string& pre = "smollm") {
    const TinyVocabulary t;
    Vocabulary v;
    v.model = "gpt2";
    v.pre = pre;
    v.tokens = t.tokens;
    v.types = t.types;
    v.merges = t.merges;
    v.eos = TinyVocabulary::kImEnd;
    return v;
}

std::unique_ptr<Tokenizer> make(Vocabulary v) {
    std::vector<std::string> warnings;
    auto made = make_tokenizer(std::move(v), warnings);
    if (!made) {
        FAIL(made.error().message);
    }
    return *std::move(made);
}

std::vector<TokenId> encode(const Tokenizer& t, std::string_view text, bool special = false) {
    std::vector<TokenId> ids;
    t.encode(text, special, ids);
    return ids;
}

std::string decode(const Tokenizer& t, const std::vector<TokenId>& ids) {
    std::string text;
    for (const TokenId id : ids) {
        text += t.token_bytes(id, true);
    }
    return text;
}

std::vector<std::string> split(const char* rule, std::string_view text) {
    const auto pre = PreTokenizer::make(*find_split_rule(rule));
    Pieces words;
    pre->split(text, true, words);
    return {words.list.begin(), words.list.end()};
}

using Words = std::vector<std::string>;

} // namespace

// Splits as the original patterns give them under another regular expression engine.
TEST_CASE("words of tricky texts, by family") {
    CHECK(split("gpt-2", "I'm don't 1234 x  y") ==
          Words{"I", "'m", " don", "'t", " 1234", " x", " ", " y"});
    CHECK(split("gpt-2", "a\n\n b\n") == Words{"a", "\n\n", " b", "\n"});
    CHECK(split("gpt-2", "WE'LL  ") == Words{"WE", "'", "LL", "  "});
    CHECK(split("smollm", "in 2024, x1") == Words{"in", " ", "2", "0", "2", "4", ",", " x", "1"});
    CHECK(split("llama-bpe", "12345 I'M \n\n  x!\n") ==
          Words{"123", "45", " I", "'M", " \n\n", " ", " x", "!\n"});
    CHECK(split("qwen2", "12 I'm (yes)") == Words{"1", "2", " I", "'m", " (", "yes", ")"});
    CHECK(split("llama-bpe", "\tx .y") == Words{"\tx", " .", "y"});
    CHECK(split("gpt-2", "\xE4\xBD\xA0\xE5\xA5\xBD\xEF\xBC\x8C") ==
          Words{"\xE4\xBD\xA0\xE5\xA5\xBD", "\xEF\xBC\x8C"});
    CHECK(split("gpt-2", "a\xE2\x82"
                         "b\xFF") == Words{"a", "\xE2\x82", "b", "\xFF"});
    CHECK(split("qwen2", "").empty());
}

TEST_CASE("merges happen by rank, leftmost first") {
    const auto t = make(tiny());
    CHECK(decode(*t, encode(*t, "hello")) == "hello");
    CHECK(encode(*t, "hello").size() == 1);
    CHECK(encode(*t, "hellhe").size() == 2); // "hell" and "he"
    CHECK(encode(*t, "lll").size() == 2);
    CHECK(encode(*t, " t").size() == 1);
    CHECK(encode(*t, "").empty());
}

TEST_CASE("decode(encode(x)) is x for random bytes and random UTF-8, for every family") {
    std::mt19937 random(3);
    for (const std::string_view name : known_pre_tokenizers()) {
        const auto t = make(tiny(std::string(name)));
        for (int round = 0; round < 300; ++round) {
            std::string text;
            const bool ascii = round % 2 == 0;
            for (int i = static_cast<int>(random() % 200); i > 0; --i) {
                text += static_cast<char>(ascii ? " \n\tabhello'sX1.,\r"[random() % 16]
                                                : static_cast<char>(random()));
            }
            CHECK(decode(*t, encode(*t, text)) == text);
        }
        const std::string nul("a\0b", 3);
        CHECK(decode(*t, encode(*t, nul)) == nul);
    }
}

TEST_CASE("special tokens come out of text only where asked for, the longest first") {
    Vocabulary v = tiny();
    v.tokens[264] = "<|im_end|>more";
    v.types[264] = 3;
    v.tokens[265] = "<think>";
    v.types[265] = 4;
    const auto t = make(v);
    CHECK(encode(*t, "a<|im_end|>b", true).at(1) == TinyVocabulary::kImEnd);
    CHECK(encode(*t, "<|im_end|>more", true) == std::vector<TokenId>{264});
    for (const char* typed : {"<|im_end|>", "<|im_start|>system", "<think>", "<|endoftext|>"}) {
        for (const TokenId id : encode(*t, typed, false)) {
            CHECK(id < 261);
        }
    }
    CHECK(t->token_bytes(TinyVocabulary::kImEnd, false).empty());
    CHECK(t->token_bytes(TinyVocabulary::kImEnd, true) == "<|im_end|>");
    CHECK(t->token_bytes(-1, true).empty());
    CHECK(t->token_bytes(277, true).empty());
}

TEST_CASE("vocabularies that cannot be used are refused, odd ones noted") {
    const auto error_of = [](const std::function<void(Vocabulary&)>& bend) {
        Vocabulary v = tiny();
        bend(v);
        std::vector<std::string> warnings;
        const auto made = make_tokenizer(std::move(v), warnings);
        return made ? std::string("(made)") : made.error().message;
    };
    CHECK(error_of([](Vocabulary& v) { v.model = "bert"; }).find("'bert' is not supported yet") !=
          std::string::npos);
    CHECK(error_of([](Vocabulary& v) { v.types.resize(50); }).find("50") != std::string::npos);
    CHECK(error_of([](Vocabulary& v) { v.merges.clear(); }).find("merges") != std::string::npos);
    CHECK(error_of([](Vocabulary& v) {
              v.merges = {"zz qq", "hello yy"};
          }).find("none of the 2 merges") != std::string::npos);
    CHECK(error_of([](Vocabulary& v) { v.merges[2] = "nothing"; }).find("'nothing'") !=
          std::string::npos);
    CHECK(error_of([](Vocabulary& v) {
              v.tokens.clear();
              v.types.clear();
          }).find("0 tokens") != std::string::npos);
    CHECK(error_of([](Vocabulary& v) { v.merges.push_back("zz qq"); }) ==
          "(made)"); // parts that are no tokens
    Vocabulary v = tiny("mystery");
    v.bos = 277;
    v.eos = 1 << 30;
    v.tokens[3] = v.tokens[4];
    std::vector<std::string> warnings;
    const auto made = make_tokenizer(v, warnings);
    REQUIRE(made.has_value());
    CHECK(warnings.size() >= 4);
    CHECK((*made)->vocabulary().bos == -1);
    CHECK((*made)->vocabulary().eos == -1);
}
