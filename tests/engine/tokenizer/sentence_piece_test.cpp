// SPDX-License-Identifier: Apache-2.0
// SentencePiece BPE as GGUF files give it, against the library that defines it
// (tests/reference/make_tokenizer_fixtures.py).
#include "engine/tokenizer/byte_level.h"
#include "tests/engine/tokenizer/small_vocabulary.h"
#include "tests/engine/tokenizer/tsv.h"

#include <algorithm>
#include <random>
#include <sstream>

using namespace sotto;
using namespace sotto::test;
using tokenizer::Vocabulary;

namespace {

struct Fixture {
    Vocabulary vocabulary;
    std::vector<std::pair<std::string, std::vector<TokenId>>> texts;
};

Fixture read_fixture(const std::string& name = "sentencepiece") {
    Fixture f;
    f.vocabulary.model = "llama";
    f.vocabulary.add_space_prefix = name == "sentencepiece";
    for (const std::vector<std::string>& row : read_tsv("tokenizer/" + name + ".tsv")) {
        if (row.at(0) == "piece") {
            f.vocabulary.types.push_back(std::stoi(row.at(1)));
            f.vocabulary.scores.push_back(std::stof(row.at(2)));
            f.vocabulary.tokens.push_back(row.at(3));
            continue;
        }
        std::istringstream in(row.at(2));
        f.texts.emplace_back(row.at(1), std::vector<TokenId>());
        for (TokenId id = 0; in >> id;) {
            f.texts.back().second.push_back(id);
        }
    }
    f.vocabulary.bos = 1;
    f.vocabulary.eos = 2;
    f.vocabulary.unk = 0;
    f.vocabulary.add_bos = true;
    return f;
}

/// <unk>, the bytes, then pieces with falling scores.
Vocabulary small(const std::vector<std::string>& pieces) {
    Vocabulary v;
    v.model = "llama";
    v.unk = add_token(v, "<unk>", TokenType::unknown);
    for (unsigned b = 0; b < 256; ++b) {
        add_token(v, tokenizer::token_of_byte(b), TokenType::byte);
    }
    v.scores.assign(v.tokens.size(), 0.0F);
    for (const std::string& piece : pieces) {
        add_token(v, piece, TokenType::normal);
        v.scores.push_back(-static_cast<float>(v.scores.size()));
    }
    return v;
}

constexpr TokenId kFirstPiece = 257;

/// U+2581 in a text is a blank to the model.
std::string with_blanks(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
        const bool mark = text.substr(i, 3) == "▁";
        out += mark ? ' ' : text[i];
        i += mark ? 3 : 1;
    }
    return out;
}

} // namespace

TEST_CASE("ids and texts are those of the library, with a blank put first and without") {
    for (const char* name : {"sentencepiece", "sentencepiece_no_prefix"}) {
        const Fixture f = read_fixture(name);
        const Made made = make(f.vocabulary);
        CHECK(made.warnings.empty());
        CHECK(made.tokenizer->description() == "SentencePiece BPE, 620 tokens");
        REQUIRE(f.texts.size() == 47);
        for (const auto& row : f.texts) {
            const std::string& text = row.first;
            const std::vector<TokenId>& ids = row.second;
            CAPTURE(text);
            CHECK(made.encode(text, true) == ids);
            CHECK(tokenizer::decode(*made.tokenizer, ids, false) == with_blanks(text));
        }
    }
}

TEST_CASE("user-defined blanks are single tokens, written as blanks or as U+2581") {
    Vocabulary v = read_fixture("sentencepiece_no_prefix").vocabulary;
    for (const bool written_as_blanks : {false, true}) {
        for (std::string& token : v.tokens) {
            if (written_as_blanks && (token == "▁▁" || token == "▁▁▁▁")) {
                token = std::string(token.size() / 3, ' '); // as converters do
            }
        }
        const Made made = make(v);
        const auto id = [&](const char* blanks, const char* marks) {
            return made.tokenizer->find(written_as_blanks ? blanks : marks);
        };
        const TokenId two = id("  ", "▁▁"), four = id("    ", "▁▁▁▁");
        CHECK(made.encode("  ") == std::vector<TokenId>{two});
        CHECK(made.encode("    ") == std::vector<TokenId>{four});
        CHECK(made.encode("          ") == std::vector<TokenId>{four, four, two});
        CHECK(made.encode("a\n\n    b").at(1) == made.tokenizer->find("\n\n"));
        CHECK(made.encode("a\n\n    b").at(2) == four);
        CHECK(made.decode(made.encode("a\n\n    b")) == "a\n\n    b");
    }
}

TEST_CASE("user-defined words count in what people write, but for those that look like marks") {
    Vocabulary v = read_fixture("sentencepiece_no_prefix").vocabulary;
    const std::size_t word = v.tokens.size();
    std::string written = "a<h1>b";
    for (const char* text :
         {"<h1>", "<think>", "[INST]", "<|user|>", "<start_of_turn>", "<start_of_image>",
          "<channel|>", "<image>", "</answer>", "<function_call>", "<｜User｜>", "<unused7>"}) {
        written += v.tokens.size() > word ? std::string(" ") + text : "";
        v.tokens.emplace_back(text);
        v.types.push_back(4);
        v.scores.push_back(-1000.0f);
    }
    const Made made = make(v);
    const auto ids = made.encode(written);
    CHECK(std::ranges::count(ids, static_cast<TokenId>(word)) == 1);
    for (const TokenId id : ids) {
        CHECK(id <= static_cast<TokenId>(word));
    }
    CHECK(made.decode(ids) == written);
}

TEST_CASE("marks that people type stay text") {
    const Made made = make(read_fixture("sentencepiece_no_prefix").vocabulary);
    for (const TokenId id : made.encode("<s></s><unk><0x0A>")) {
        const auto type = made.tokenizer->vocabulary().types[static_cast<std::size_t>(id)];
        CHECK((type == 1 || type == 6));
        CHECK(id != made.tokenizer->find("<0x0A>"));
    }
    CHECK(made.encode("<s><b>", true) ==
          std::vector<TokenId>{made.tokenizer->find("<s>"), made.tokenizer->find("<b>")});
}

TEST_CASE("the best score merges first, of equal ones the leftmost") {
    Vocabulary v = small({"a", "b", "ab", "ba", "aba"});
    v.add_space_prefix = false;
    CHECK(make(v).pieces("bab") == std::vector<std::string>{"b", "ab"});
    CHECK(make(v).pieces("aba") == std::vector<std::string>{"aba"});
    v.scores.assign(v.scores.size(), 0.0F);
    CHECK(make(v).pieces("bab") == std::vector<std::string>{"ba", "b"});
    v.scores.clear();
    CHECK(warns_of(make(v), "no scores"));
    CHECK(make(v).pieces("bab") == std::vector<std::string>{"ba", "b"});
}

TEST_CASE("characters that only longer pieces hold merge all the same") {
    Vocabulary v = small({"a", "é世", "aé世", "世"});
    v.add_space_prefix = false;
    const Made made = make(v); // "é" is no piece
    CHECK(made.pieces("aé世") == std::vector<std::string>{"aé世"});
    CHECK(made.pieces("é") == std::vector<std::string>{"<0xC3>", "<0xA9>"});
    CHECK(made.decode(made.encode("éaé世é")) == "éaé世é");
}

TEST_CASE("characters without a piece become bytes, or one unknown token where bytes lack") {
    Vocabulary v = small({"▁", "a"});
    Made made = make(v);
    CHECK(made.pieces("a깹") == std::vector<std::string>{"▁", "a", "<0xEA>", "<0xB9>", "<0xB9>"});
    CHECK(tokenizer::decode(*made.tokenizer, made.encode("깹깹"), false) == "깹깹");
    v.tokens['\n' + 1] = "[gone]"; // <0x0A>
    v.types['\n' + 1] = static_cast<std::int32_t>(TokenType::normal);
    made = make(v);
    CHECK(warns_of(made, "no token for 1 of the bytes"));
    CHECK(made.pieces("a\n\na") == std::vector<std::string>{"▁", "a", "<unk>", "a"});
    v.unk = -1;
    CHECK(make(v).pieces("a\n\na") == std::vector<std::string>{"▁", "a", "a"});
}

TEST_CASE("invalid UTF-8 and NUL survive") {
    const Made made = make(read_fixture().vocabulary);
    std::mt19937 random(9);
    for (int round = 0; round < 500; ++round) {
        std::string text;
        for (auto n = random() % 40; n > 0; --n) {
            text += round % 2 == 0 ? static_cast<char>(random())
                                   : "a \n▁\xE2\x96\xFF\0the"[random() % 13];
        }
        for (const bool special : {false, true}) {
            const auto ids = made.encode(text, special);
            const std::string back = tokenizer::decode(*made.tokenizer, ids, true);
            CHECK(back == with_blanks(text));
        }
    }
}

TEST_CASE("one blank is put before a text, and dropped once when it is decoded") {
    Vocabulary v = small({"▁", "▁leading", "▁x", "x"});
    for (char c = 'a'; c <= 'z'; ++c) {
        add_token(v, std::string(1, c), TokenType::normal);
        v.scores.push_back(-1000.0F);
    }
    const TokenId begin = add_token(v, "<s>", TokenType::control);
    v.scores.push_back(0.0F);
    v.bos = begin;
    v.scores[0] = 0.0F;
    const Made made = make(v);
    const tokenizer::Tokenizer& t = *made.tokenizer;
    CHECK(made.pieces("x") == std::vector<std::string>{"▁x"});
    CHECK(made.pieces(" x") == std::vector<std::string>{"▁", "▁x"});
    CHECK(made.pieces("<s>x x", true) == std::vector<std::string>{"<s>", "▁x", "▁x"});
    CHECK(made.encode("").empty());
    // A stream: the first blank only, whatever comes before and after it.
    const std::vector<TokenId> ids = {begin, kFirstPiece, kFirstPiece + 1, kFirstPiece + 2};
    tokenizer::Detokenizer stream(t, false);
    std::string text;
    for (const TokenId id : ids) {
        text += stream.push(id);
    }
    CHECK(text == " leading x");
    CHECK(tokenizer::decode(t, ids, false) == text);
    CHECK(t.token_bytes(kFirstPiece + 1, false) == " leading"); // a token alone keeps its blank
}

TEST_CASE("a list of scores that is too short is refused; others that are odd are not") {
    Vocabulary v = small({"a", "ab"});
    v.scores.pop_back();
    std::vector<std::string> warnings;
    const auto made = tokenizer::make_tokenizer(v, warnings);
    REQUIRE_FALSE(made.has_value());
    CHECK(made.error().message.find("258 entries for 259 tokens") != std::string::npos);
    v.scores = std::vector<float>(v.tokens.size(), std::numeric_limits<float>::quiet_NaN());
    v.tokens.back() = std::string(5000, 'a');
    CHECK(warns_of(make(v), "1 token of more than 256 bytes"));
}
