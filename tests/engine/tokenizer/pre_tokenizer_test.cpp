// SPDX-License-Identifier: Apache-2.0
#include "engine/tokenizer/pre_tokenizer.h"
#include "tests/engine/tokenizer/tsv.h"

#include <map>

using namespace sotto;
using namespace sotto::tokenizer;

namespace {

std::vector<std::string> split(const SplitRule& rule, std::string_view text) {
    const auto pre = PreTokenizer::make(rule);
    REQUIRE(pre.has_value());
    Pieces words;
    pre->split(text, true, words);
    return {words.list.begin(), words.list.end()};
}

} // namespace

TEST_CASE("words are those that the published patterns give in another regular expression engine") {
    std::map<std::string, int> rows_of;
    for (const std::vector<std::string>& row : test::read_tsv("tokenizer/splits.tsv")) {
        const SplitRule* rule = find_split_rule(row.at(0));
        REQUIRE(rule != nullptr);
        const std::vector<std::string> words(row.begin() + 1, row.end());
        std::string text;
        for (const std::string& word : words) {
            text += word;
        }
        CAPTURE(row[0]);
        CAPTURE(text);
        CHECK(split(*rule, text) == words);
        ++rows_of[row[0]];
    }
    for (const char* name : {"gpt-2", "smollm", "llama-bpe", "qwen2"}) {
        CHECK(rows_of[name] > 30);
    }
}

TEST_CASE("parts that are no UTF-8 stand alone and split what is around them") {
    const SplitRule& gpt2 = split_rules().front();
    using Words = std::vector<std::string>;
    CHECK(split(gpt2, "ab\xFF\xFE"
                      "cd") == Words{"ab", "\xFF", "\xFE", "cd"});
    CHECK(split(gpt2, "\xE2\x82") == Words{"\xE2\x82"});
    CHECK(split(gpt2, "\xED\xA0\x80") == Words{"\xED", "\xA0", "\x80"}); // a surrogate
    CHECK(split(gpt2, "  \xC3  ") == Words{"  ", "\xC3", "  "});
}

TEST_CASE("each rule is found by all its names, and unknown names by none") {
    for (const SplitRule& rule : split_rules()) {
        for (const std::string_view name : rule.names) {
            CHECK(find_split_rule(name) == &rule);
        }
    }
    CHECK(find_split_rule("llama3") == find_split_rule("llama-bpe"));
    for (const char* name : {"", "default", "GPT-2", "smollm2"}) {
        CHECK(find_split_rule(name) == nullptr);
    }
}
