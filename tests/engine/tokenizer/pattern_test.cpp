// SPDX-License-Identifier: Apache-2.0
#include "engine/tokenizer/pattern.h"
#include "engine/tokenizer/regex_dialect.h"
#include "engine/tokenizer/split_rules.h"
#include "tests/support/sanitized.h"

#include <doctest/doctest.h>

#include <chrono>
#include <random>

using namespace sotto;
using namespace sotto::tokenizer;

namespace {

std::vector<Span> find_all(const Pattern& pattern, std::string_view text) {
    Pattern::Scratch scratch;
    std::vector<Span> matches;
    pattern.find_all(text, scratch, matches);
    return matches;
}

std::vector<Span> find_all(std::string_view regex, std::string_view text) {
    const auto pattern = Pattern::from_file(regex);
    REQUIRE(pattern.has_value());
    return find_all(**pattern, text);
}

using Spans = std::vector<Span>;

// What models' authors publish: GPT-2, Llama 3, Qwen 2, Qwen 3.5, Mistral's tekken, GPT-4o, and
// DeepSeek's parts.
#define LINES R"(|\s*[\r\n]+|\s+(?!\S)|\s+)"
#define CONTRACTION R"((?i:'s|'t|'re|'ve|'m|'ll|'d))"
#define CAPITALS R"([\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}])"
#define SMALL R"([\p{Ll}\p{Lm}\p{Lo}\p{M}])"
#define CASED(end)                                                                                 \
    R"([^\r\n\p{L}\p{N}]?)" CAPITALS "*" SMALL "+" end R"(|[^\r\n\p{L}\p{N}]?)" CAPITALS "+" SMALL \
    "*" end
const char* const kPublished[] = {
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)",
    CONTRACTION R"(|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*)" LINES,
    CONTRACTION R"(|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*)" LINES,
    CONTRACTION R"(|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*)" LINES,
    CASED("") R"(|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*)" LINES,
    CASED(CONTRACTION "?") R"(|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*)" LINES,
    R"(\p{N})",
    R"(\p{N}+)",
    R"(\p{N}{1,3})",
    R"([\r\n])",
    R"(\s?\p{L}+)",
    R"(\s?\p{P}+)",
};

std::string random_text(std::mt19937& random) {
    static const char* const parts[] = {
        "a",      "b",          "A",      "Z",      "'s",     "'LL",    " ",
        "  ",     "\n",         "\r",     "\t",     "1",      "22",     ".",
        "!?",     "/",          "_",      "\u0301", "\u4E16", "\u01C5", "\u02B0",
        "\u00E9", "\u00C9",     "\u2028", "\u3000", "\u00A0", "\u180E", "\u0661",
        "\u00B2", "\U0001F600", "$",      "\u017F", "\u3001"};
    std::string text;
    for (auto n = random() % 30; n > 0; --n) {
        text += parts[random() % std::size(parts)];
    }
    return text;
}

} // namespace

TEST_CASE("patterns of ours match what the published ones match") {
    std::mt19937 random(13);
    for (const char* published : kPublished) {
        const char* ours = our_pattern(published);
        CAPTURE(std::string(published));
        REQUIRE(ours != nullptr);
        const auto one = Pattern::from_file(published), other = Pattern::ours(ours);
        REQUIRE(one.has_value());
        REQUIRE(other.has_value());
        for (int round = 0; round < 1000; ++round) {
            const std::string text = random_text(random);
            CAPTURE(text);
            REQUIRE(find_all(**one, text) == find_all(**other, text));
        }
    }
    CHECK(our_pattern("nobody's") == nullptr);
}

TEST_CASE("matches from left to right, empty ones where nothing ended") {
    CHECK(find_all("a+", "baab a") == Spans{{1, 3}, {5, 6}});
    CHECK(find_all("a*", "baa") == Spans{{1, 3}});
    CHECK(find_all("(?=b)", "abab") == Spans{{1, 1}, {3, 3}});
    CHECK(find_all("x", "") == Spans{});
    CHECK(find_all("$", "a\nb") == Spans{{1, 1}}); // a line's end, as Oniguruma has it
    CHECK(find_all(*Pattern::literal("aa"), "aaaaa") == Spans{{0, 2}, {2, 4}});
    CHECK(find_all(*Pattern::literal(""), "aa") == Spans{});
}

TEST_CASE("classes are Oniguruma's") {
    CHECK(find_all(R"(\s+)", "a\u180Eb\u3000") == Spans{{5, 8}});
    CHECK(find_all(R"(\w+)", "e\u0301_1") == Spans{{0, 5}});
    CHECK(find_all(R"([^\w\s]+)", "a .!") == Spans{{2, 4}});
    CHECK(find_all(R"([\w-]+)", "a-b") == Spans{{0, 3}});
    CHECK(find_all(R"(\h+)", "xaF9g") == Spans{{1, 4}});
    CHECK(find_all(R"([\s\S]+)", "a b") == Spans{{0, 3}});
    CHECK(from_oniguruma(R"(\\s\[\])") == R"(\\s\[\])");
}

TEST_CASE("mistakes in a pattern are told") {
    for (const char* regex : {"(a", "[a", "a{2,1}", "\\", "(?<=a+)b", "\\C"}) {
        CAPTURE(std::string(regex));
        const auto made = Pattern::from_file(regex);
        REQUIRE_FALSE(made.has_value());
        CHECK(made.error().code == ErrorCode::unsupported);
        CHECK(made.error().message.find("at byte") != std::string::npos);
    }
    CHECK_FALSE(Pattern::from_file(std::string(20000, 'a')).has_value());
    CHECK_FALSE(Pattern::from_file(std::string(300, '(') + std::string(300, ')')).has_value());
}

TEST_CASE("patterns that walk back without end stop, and the text stays whole") {
    const std::string text(1000000, 'a');
    for (const char* regex : {"(a+)+$b", "(a|a)*b", "a+b", "(?=a*b)", "(a*)*c", "(?:a?){60}b"}) {
        CAPTURE(std::string(regex));
        const auto start = std::chrono::steady_clock::now();
        CHECK(find_all(regex, text).size() <= text.size());
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
        CHECK(seconds.count() < (test::kSanitized ? 60.0 : 5.0));
    }
}
