// SPDX-License-Identifier: Apache-2.0
// Long texts on a small stack: time grows as the text does, nothing recurses.
#include "engine/tokenizer/byte_level.h"
#include "engine/tokenizer/split_rules.h"
#include "tests/engine/tokenizer/small_vocabulary.h"
#include "tests/engine/tokenizer/tsv.h"
#include "tests/support/hub_tokenizer.h"
#include "tests/support/sanitized.h"

#include <pthread.h>

#include <ctime>
#include <functional>

using namespace sotto;
using namespace sotto::test;
using tokenizer::Tokenizer;
using tokenizer::Vocabulary;

namespace {

// Seconds for a megabyte: sanitizers and unoptimised code are slower, but not by the hours that
// quadratic time would need.
#ifdef NDEBUG
constexpr double kLongest = kSanitized ? 30.0 : 1.0;
#else
constexpr double kLongest = 30.0;
#endif

/// Processor seconds on a thread whose stack is 128 KiB.
double seconds_on_small_stack(std::function<void()> work) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 128 * 1024);
    const std::clock_t start = std::clock();
    pthread_t thread{};
    REQUIRE(pthread_create(
                &thread, &attributes,
                [](void* f) -> void* {
                    (*static_cast<std::function<void()>*>(f))();
                    return nullptr;
                },
                &work) == 0);
    pthread_join(thread, nullptr);
    pthread_attr_destroy(&attributes);
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

std::string repeated(std::string_view unit, std::size_t n) {
    std::string text;
    for (std::size_t i = 0; i < n; ++i) {
        text += unit;
    }
    return text;
}

struct Long {
    const char* unit;
    std::size_t n;
};
// Long runs of one kind, with and without an end, and mixtures that make careless patterns walk
// back.
constexpr Long kLongs[] = {{"a", 1000000},           {" ", 1000000},       {"\n", 60000},
                           {" \n", 60000},           {"A", 43000},         {"7", 1000000},
                           {"\xE4\xBD\xA0", 350000}, {"! ", 300000},       {"\t\t \r\n", 100000},
                           {"'s", 300000},           {"\xFF", 300000},     {"<|im_end|>", 50000},
                           {"<|", 300000},           {"A\xCC\x81", 200000}};

/// The text comes back within the limit. part: of the lengths above.
void check_long_texts(const Tokenizer& t, std::size_t part, bool comes_back) {
    for (const Long& l : kLongs) {
        const std::string text = repeated(l.unit, l.n / (kSanitized ? 10 : part)) + "x";
        CAPTURE(std::string(l.unit));
        std::vector<TokenId> ids;
        const double seconds = seconds_on_small_stack([&] { t.encode(text, true, ids); });
        CHECK(seconds < kLongest);
        if (comes_back && !(t.puts_blank_first() && l.unit[0] == '<')) { // a blank behind marks
            CHECK(tokenizer::decode(t, ids, true) == text);
        }
    }
}

Vocabulary byte_level(const std::string& rule) {
    Vocabulary v =
        small_vocabulary({"h e", "l l", "he ll", "hell o", "Ġ t", "Ġ Ġ", "a a", "aa aa"});
    v.pre = rule;
    add_token(v, "<|im_end|>", TokenType::control);
    return v;
}

/// Runs of some characters of every length up to 31, and bytes.
Vocabulary sentence_piece(bool prefix) {
    Vocabulary v;
    v.model = "llama";
    v.add_space_prefix = prefix;
    for (unsigned b = 0; b < 256; ++b) {
        add_token(v, tokenizer::token_of_byte(b), TokenType::byte);
    }
    for (std::size_t n = 31; n > 0; --n) {
        for (const char* unit : {"a", "▁", "7", "你", "\n"}) {
            add_token(v, repeated(unit, n), TokenType::normal);
        }
    }
    for (std::size_t i = 0; i < v.tokens.size(); ++i) {
        v.scores.push_back(-static_cast<float>(i));
    }
    add_token(v, "<|im_end|>", TokenType::control);
    v.scores.push_back(0);
    return v;
}

} // namespace

TEST_CASE("long texts with every byte-level family") {
    for (const tokenizer::SplitRule& rule : tokenizer::split_rules()) {
        const std::string name(rule.names.front());
        const bool in_full = name == "gpt-2" || name == "llama-bpe" || name == "qwen2";
        CAPTURE(name);
        check_long_texts(*make(byte_level(name)).tokenizer, in_full ? 1 : 4, true);
    }
}

TEST_CASE("long texts with SentencePiece") {
    for (const bool prefix : {false, true}) {
        check_long_texts(*make(sentence_piece(prefix)).tokenizer, 1, true);
    }
}

TEST_CASE("long texts with every kind of tokenizer.json") {
    for (const char* name : {"gpt2", "qwen2", "llama3", "gpt4o", "deepseek", "llama2", "gemma",
                             "mistral", "own", "flags", "no_bytes"}) {
        CAPTURE(std::string(name));
        std::ifstream in(std::string(SOTTO_TEST_DATA) + "/tokenizer/" + name + ".json");
        const std::string json{std::istreambuf_iterator<char>(in), {}};
        const auto made = hub_tokenizer(json);
        REQUIRE(made.has_value());
        check_long_texts(**made, 4, false); // some are made to change the text
    }
}

TEST_CASE("twice the text takes twice the time, not four times") {
    const Made kinds[] = {make(byte_level("llama-bpe")), make(sentence_piece(true))};
    for (const Made& made : kinds) {
        for (const char* unit : {"l", " ", "\n \t", "hello ", "7", "a", "<|im_"}) {
            CAPTURE(std::string(unit));
            double best[2] = {1e9, 1e9}; // of several: others use this machine too
            for (int round = 0; round < 5; ++round) {
                for (const int k : {0, 1}) {
                    const std::string text =
                        repeated(unit, (std::size_t{kSanitized ? 20000U : 200000U} << k) /
                                           std::string(unit).size()) +
                        "x";
                    std::vector<TokenId> ids;
                    best[k] = std::min(best[k], seconds_on_small_stack([&] {
                                           made.tokenizer->encode(text, true, ids);
                                       }));
                }
            }
            CHECK(best[1] < 3 * best[0]);
        }
    }
}
