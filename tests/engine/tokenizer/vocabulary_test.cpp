// SPDX-License-Identifier: Apache-2.0
// What odd vocabularies become. (Those that are refused: bpe_test.cpp.)
#include "engine/tokenizer/byte_level.h"
#include "tests/engine/tokenizer/small_vocabulary.h"

using namespace sotto;
using namespace sotto::test;
using tokenizer::Vocabulary;

TEST_CASE("a whole vocabulary gives no warning and says what it is") {
    const Made made = make(small_vocabulary());
    CHECK(made.warnings.empty());
    CHECK(made.tokenizer->description() == "byte-level BPE (gpt-2), 262 tokens");
    CHECK(made.tokenizer->find("hello") == 259);
    CHECK(made.tokenizer->find("hullo") == -1);
}

TEST_CASE("a splitting rule that is not named or not known: GPT-2's, with a sentence") {
    for (const char* name : {"", "default", "nobody-knows"}) {
        Vocabulary v = small_vocabulary();
        v.pre = name;
        const Made made = make(v);
        REQUIRE(made.warnings.size() == 1);
        CHECK(warns_of(made, "GPT-2"));
        CHECK(warns_of(made,
                       std::string(name) == "nobody-knows" ? "'nobody-knows'" : "does not say"));
        CHECK(made.encode("hello hello").size() == 3);
    }
}

TEST_CASE("special ids out of range are told of and taken for none") {
    Vocabulary v = small_vocabulary();
    const auto n = static_cast<TokenId>(v.tokens.size());
    v.bos = v.eos = v.eot = v.unk = v.pad = n; // one past the end
    v.more_eog = {n, -5, 7};
    v.add_bos = true;
    const Made made = make(v);
    CHECK(made.warnings.size() == 7); // the sixth id, and that no begin token is left to put
    const Vocabulary& kept = made.tokenizer->vocabulary();
    for (const TokenId id : {kept.bos, kept.eos, kept.eot, kept.unk, kept.pad}) {
        CHECK(id == -1);
    }
    CHECK_FALSE(kept.add_bos);
    CHECK(made.tokenizer->is_end_of_turn(7));
    for (const TokenId id : {-5, -1, n, n + 1, 1 << 30}) {
        CHECK_FALSE(made.tokenizer->is_end_of_turn(id));
        CHECK(made.tokenizer->token_bytes(id, true).empty());
    }
}

TEST_CASE(
    "bytes without a token are left out, or become the unknown token, never a control token") {
    Vocabulary v = small_vocabulary();
    v.tokens['q'] = "[gone]";
    v.tokens[0x01] = "[gone too]"; // no byte of ordinary text: no word about it
    Made made = make(v);
    CHECK(warns_of(made, "no token for 1 of the bytes"));
    CHECK(made.decode(made.encode("a q\x01z")) == "a z");
    v.unk = add_token(v, "<unk>", TokenType::unknown);
    made = make(v);
    CHECK(made.encode("q") == std::vector<TokenId>{v.unk});
    v.types.back() =
        static_cast<std::int32_t>(TokenType::control); // SmolLM2's unknown token ends its texts
    made = make(v);
    CHECK(made.encode("q").empty());
}

TEST_CASE("a byte that no character has becomes U+FFFD where the vocabulary lacks it") {
    Vocabulary v = small_vocabulary();
    const Made whole = make(v);
    CHECK(whole.decode(whole.encode("a\xFFz\xC0")) == "a\xFFz\xC0");
    for (const std::size_t byte : {0xC0u, 0xC1u, 0xF5u, 0xFFu}) {
        for (std::string& token : v.tokens) {
            token = token == sotto::tokenizer::byte_stand_ins()[byte]
                        ? "[gone " + std::to_string(byte) + "]"
                        : token;
        }
    }
    const Made made = make(v);
    CHECK(made.decode(made.encode("a\xFFz\xC0\xF5")) == "a\uFFFDz\uFFFD\uFFFD");
    CHECK(made.decode(made.encode("\xE2\x82")) == "\xE2\x82"); // part of one: as it is
}

TEST_CASE("doubled tokens: the first counts") {
    Vocabulary v = small_vocabulary();
    const TokenId again = add_token(v, "hello", TokenType::normal);
    const Made made = make(v);
    CHECK(warns_of(made, "spelt like one before"));
    CHECK(made.tokenizer->find("hello") == 259);
    CHECK(made.encode("hello") == std::vector<TokenId>{259});
    CHECK(made.tokenizer->token_bytes(again, false) == "hello");
}

TEST_CASE("merges of or into what is no ordinary token are left out") {
    for (const TokenType type : {TokenType::control, TokenType::user_defined, TokenType::unused}) {
        for (const char* pre : {"gpt-2", "llama-bpe"}) { // the second takes whole words
            Vocabulary v = small_vocabulary();
            v.pre = pre;
            v.types[259] = static_cast<std::int32_t>(type); // "hello"
            const Made made = make(v);
            CHECK(warns_of(made, "1 merge of or into"));
            CHECK(made.pieces("hello") == std::vector<std::string>{"hell", "o"});
        }
    }
    Vocabulary v = small_vocabulary();
    v.merges.insert(v.merges.begin(), {"x y", "nope z"});
    CHECK(warns_of(make(v), "2 merges of or into"));
}

TEST_CASE("llama-bpe takes a word that is in the vocabulary at once") {
    Vocabulary v = small_vocabulary();
    const TokenId world = add_token(v, "Ġworld", TokenType::normal); // no merges lead to it
    v.pre = "llama-bpe";
    CHECK(make(v).encode("hello world") == std::vector<TokenId>{259, world});
    v.pre = "gpt-2";
    CHECK(make(v).encode("hello world").size() == 7);
}

TEST_CASE("types that are not known are ordinary; none at all: ordinary but for the marks") {
    Vocabulary v = small_vocabulary();
    v.types[259] = 77;
    CHECK(warns_of(make(v), "type that is not known"));
    CHECK(make(v).encode("hello") == std::vector<TokenId>{259});
    const TokenId mark = add_token(v, "<|im_end|>", TokenType::normal);
    v.eos = add_token(v, "<eos-of-mine>", TokenType::normal);
    v.types.clear();
    const Made made = make(v);
    CHECK(warns_of(made, "2 marks"));
    CHECK(made.encode("<|im_end|>", true) == std::vector<TokenId>{mark});
    CHECK(made.encode("<|im_end|>", false).size() == 10);
    CHECK(made.tokenizer->token_bytes(v.eos, false).empty());
    CHECK(made.tokenizer->is_end_of_turn(mark));
    CHECK(made.tokenizer->is_end_of_turn(v.eos));
}

TEST_CASE("user-defined tokens: in what people write only those of blanks alone") {
    Vocabulary v = small_vocabulary();
    const TokenId think = add_token(v, "<think>", TokenType::user_defined);
    const TokenId blanks = add_token(v, "    ", TokenType::user_defined);
    const TokenId word = add_token(v, "é 世", TokenType::user_defined);
    const Made made = make(v);
    CHECK(made.encode("<think>", true) == std::vector<TokenId>{think});
    CHECK(made.encode("<think>", false).size() == 7);
    CHECK(made.encode("x    y", false) == std::vector<TokenId>{'x', blanks, 'y'});
    CHECK(made.tokenizer->token_bytes(think, false) == "<think>");
    CHECK(made.tokenizer->token_bytes(word, false) == "é 世"); // as spelt: "é" is no stand-in here
}

TEST_CASE("token_bytes: stand-ins are bytes, other spellings their own text, control tokens only "
          "if asked for") {
    Vocabulary v = small_vocabulary();
    const TokenId cjk = add_token(v, "世 界", TokenType::normal);
    const TokenId broken = add_token(v, "\xC3", TokenType::normal);
    const TokenId control = add_token(v, "<ctl>", TokenType::control);
    const TokenId unused = add_token(v, "<unused7>", TokenType::unused);
    const Made made = make(v);
    for (int b = 0; b < 256; ++b) {
        CHECK(made.tokenizer->token_bytes(b, false) == std::string(1, static_cast<char>(b)));
    }
    CHECK(made.tokenizer->token_bytes(260, false) == " t");
    CHECK(made.tokenizer->token_bytes(cjk, false) == "世 界");
    CHECK(made.tokenizer->token_bytes(broken, false) == "\xC3");
    for (const TokenId id : {control, unused}) {
        CHECK(made.tokenizer->token_bytes(id, false).empty());
        CHECK(made.tokenizer->token_bytes(id, true) == v.tokens[static_cast<std::size_t>(id)]);
    }
}

TEST_CASE(
    "what ends a turn: the ids that the file names and control tokens that are known end marks") {
    Vocabulary v = small_vocabulary();
    const TokenId im_end = add_token(v, "<|im_end|>", TokenType::control);
    const TokenId im_start = add_token(v, "<|im_start|>", TokenType::control);
    const TokenId strike = add_token(v, "</s>", TokenType::normal); // text of a web page
    v.eos = add_token(v, "<|stop-a|>", TokenType::control);
    v.eot = add_token(v, "<|stop-b|>", TokenType::control);
    v.more_eog = {add_token(v, "<|stop-c|>", TokenType::control)};
    const Made made = make(v);
    for (const TokenId id : {im_end, v.eos, v.eot, v.more_eog[0]}) {
        CHECK(made.tokenizer->is_end_of_turn(id));
    }
    for (const TokenId id : {im_start, strike, 259}) {
        CHECK_FALSE(made.tokenizer->is_end_of_turn(id));
    }
}
