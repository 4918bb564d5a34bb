// SPDX-License-Identifier: Apache-2.0
// tokenizer.json files against the library that defines them
// (tests/reference/make_tokenizer_fixtures.py).
#include "tests/engine/tokenizer/tsv.h"
#include "tests/support/hub_tokenizer.h"

#include <map>
#include <sstream>

using namespace sotto;
using namespace sotto::tokenizer;

namespace {

std::string read_data(const std::string& name) {
    std::ifstream in(std::string(SOTTO_TEST_DATA) + "/tokenizer/" + name, std::ios::binary);
    REQUIRE_MESSAGE(in.good(), name);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::unique_ptr<Tokenizer> load(const std::string& json, const std::string& config = {}) {
    auto made = test::hub_tokenizer(json, config);
    REQUIRE_MESSAGE(made.has_value(), (made ? std::string() : made.error().message));
    return *std::move(made);
}

std::vector<TokenId> encode(const Tokenizer& t, std::string_view text, bool special = true) {
    std::vector<TokenId> ids;
    t.encode(text, special, ids);
    return ids;
}

std::vector<TokenId> numbers(const std::string& text) {
    std::istringstream in(text);
    std::vector<TokenId> ids;
    for (TokenId id = 0; in >> id;) {
        ids.push_back(id);
    }
    return ids;
}

std::string error_of(const std::string& json, const std::string& config = {}) {
    const auto made = test::hub_tokenizer(json, config);
    return made ? "(made)" : made.error().message;
}

/// A small file with something put in the place of a part of it.
std::string with(const std::string& from, const std::string& to) {
    std::string json =
        R"({"normalizer":null,"pre_tokenizer":null,"decoder":null,"post_processor":null,)"
        R"("added_tokens":[{"id":4,"content":"<s>","special":true}],)"
        R"("model":{"type":"BPE","vocab":{"a":0,"b":1,"ab":2,"abb":3},"merges":["a b","ab b"]}})";
    const std::size_t at = json.find(from);
    REQUIRE(at != std::string::npos);
    return json.replace(at, from.size(), to);
}

} // namespace

TEST_CASE("every kind of tokenizer.json gives the ids of the library it is made for") {
    std::map<std::string, std::unique_ptr<Tokenizer>> tokenizers;
    for (const std::vector<std::string>& row : test::read_tsv("tokenizer/tokenizer_json.tsv")) {
        const std::string& name = row.at(0);
        auto& t = tokenizers[name];
        if (!t) {
            t = load(read_data(name + ".json"));
        }
        CAPTURE(name);
        CAPTURE(row.at(1));
        const std::vector<TokenId> ids = encode(*t, row.at(1));
        CHECK(ids == numbers(row.at(2)));
        CHECK(decode(*t, ids, true) == row.at(3));
    }
    CHECK(tokenizers.size() == 11);
}

TEST_CASE("merges as pairs and as strings are the same; parts of pairs may hold blanks") {
    const std::string strings = R"(["a b","ab b"])", pairs = R"([["a","b"],["ab","b"]])";
    const auto one = load(with(strings, strings)), other = load(with(strings, pairs));
    for (const char* text : {"a", "ab", "abb", "abbb<s>ba"}) {
        CHECK(encode(*one, text) == encode(*other, text));
    }
    CHECK(encode(*other, "abbab") == std::vector<TokenId>{3, 2});
    const auto blank = load(with(R"("abb":3},"merges":["a b","ab b"])",
                                 R"("a b":3," ":5,"a ":6},"merges":[["a"," "],["a ","b"]])"));
    CHECK(encode(*blank, "a ba ") == std::vector<TokenId>{3, 6});
}

TEST_CASE("marks that people type stay text, blanks that are added tokens do not") {
    const auto t = load(read_data("qwen2.json"));
    const TokenId blanks = t->find("    "), mark = t->find("<|im_end|>");
    REQUIRE(blanks > 0);
    CHECK(encode(*t, "x    y", false).at(1) == blanks);
    CHECK(encode(*t, "<|im_end|>", true) == std::vector<TokenId>{mark});
    for (const char* typed : {"<|im_end|>", "<think>", "<|im_start|>user"}) {
        for (const TokenId id : encode(*t, typed, false)) {
            CHECK(id < t->find("<|endoftext|>"));
        }
    }
}

TEST_CASE("what the two files say of begin and end") {
    const auto plain = load(read_data("llama3.json"));
    CHECK(plain->vocabulary().add_bos); // its post_processor puts one
    CHECK(plain->vocabulary().bos == plain->find("<|endoftext|>"));
    const auto t = load(
        read_data("llama3.json"),
        R"({"add_bos_token":false,"bos_token":null,"eos_token":{"content":"<|im_end|>"},)"
        R"("pad_token":"<|im_start|>","added_tokens_decoder":{"600":{"content":"<extra>","special":true}}})");
    CHECK_FALSE(t->vocabulary().add_bos);
    CHECK(t->is_end_of_turn(t->find("<|im_end|>")));
    CHECK(t->vocabulary().pad == t->find("<|im_start|>"));
    CHECK(encode(*t, "<extra>") == std::vector<TokenId>{600});
    CHECK(t->token_bytes(599, true).empty()); // a gap
    CHECK(t->token_bytes(601, true).empty());
    CHECK(load(read_data("gpt2.json"))->description() ==
          "byte-level BPE (tokenizer.json), 423 tokens");
}

TEST_CASE("kinds that are not known are refused by name") {
    const auto kind = [](const char* part, const char* type) {
        return error_of(with(std::string("\"") + part + "\":null",
                             std::string("\"") + part + "\":{\"type\":\"" + type + "\"}"));
    };
    CHECK(kind("normalizer", "Precompiled").find("'Precompiled'") != std::string::npos);
    CHECK(kind("pre_tokenizer", "BertPreTokenizer").find("'BertPreTokenizer'") !=
          std::string::npos);
    CHECK(kind("decoder", "CTC").find("'CTC'") != std::string::npos);
    CHECK(kind("post_processor", "RobertaProcessing").find("'RobertaProcessing'") !=
          std::string::npos);
    for (const char* model : {"Unigram", "WordPiece", "WordLevel"}) {
        CHECK(error_of(with("\"BPE\"", "\"" + std::string(model) + "\"")) ==
              "tokenizer.json: model '" + std::string(model) + "' is not supported");
    }
    CHECK(error_of(with("\"pre_tokenizer\":null",
                        R"("pre_tokenizer":{"type":"Sequence","pretokenizers":[)"
                        R"({"type":"ByteLevel"},{"type":"Digits"}]})"))
              .find("after ByteLevel 'Digits'") != std::string::npos);
    CHECK(error_of(with("\"type\":\"BPE\"", R"("type":"BPE","end_of_word_suffix":"</w>")"))
              .find("'</w>'") != std::string::npos);
}

TEST_CASE("damaged files are refused with a reason") {
    const std::pair<const char*, const char*> bad[] = {
        {"\"a\":0", "\"a\":-1"},
        {"\"a\":0", "\"a\":4000000"},
        {"\"a\":0", "\"a\":\"0\""},
        {"\"a b\"", "\"ab\""},
        {"\"a b\"", "[\"a\"]"},
        {"\"a b\"", "[\"a\",1]"},
        {"\"a b\"", "7"},
        {"[\"a b\",\"ab b\"]", "[]"},
        {"[\"a b\",\"ab b\"]", "{}"},
        {"{\"a\":0,\"b\":1,\"ab\":2,\"abb\":3}", "[]"},
        {"\"id\":4", "\"id\":400000"},
        {"\"model\"", "\"modle\""},
        {"\"normalizer\":null",
         R"("normalizer":{"type":"Replace","pattern":{"Regex":"(a"},"content":""})"},
        {"\"normalizer\":null", R"("normalizer":{"type":"Replace","content":""})"},
        {"\"pre_tokenizer\":null", R"("pre_tokenizer":{"type":"Metaspace","replacement":""})"},
        {"\"normalizer\":null", "\"normalizer\":7"},
    };
    for (const auto& row : bad) {
        const std::string from = row.first, to = row.second;
        CAPTURE(from);
        CAPTURE(to);
        const std::string message = error_of(with(from, to));
        CAPTURE(message);
        CHECK(message.starts_with("tokenizer.json: "));
    }
    CHECK(error_of(with("BPE", "BPE"), R"({"add_bos_token":1})")
              .starts_with("tokenizer_config.json: "));
}
