// SPDX-License-Identifier: Apache-2.0
#include "engine/tokenizer/unicode_forms.h"
#include "tests/support/sanitized.h"

#include <doctest/doctest.h>

#include <chrono>

using namespace sotto;
using namespace sotto::tokenizer;

namespace {

std::string in_form(std::string_view text, UnicodeForm form) {
    std::string out;
    append_in_form(text, form, out);
    return out;
}

struct Row {
    const char *text, *nfc, *nfd, *nfkc, *nfkd;
};

} // namespace

// The four forms as Python's unicodedata gives them.
TEST_CASE("normalization forms") {
    const Row rows[] = {
        {"abc", "abc", "abc", "abc", "abc"},
        {"e\u0301", "\u00E9", "e\u0301", "\u00E9", "e\u0301"},
        {"\u212B", "\u00C5", "A\u030A", "\u00C5", "A\u030A"},
        {"\uFB01", "\uFB01", "\uFB01", "fi", "fi"},
        {"\u1E9B\u0323", "\u1E9B\u0323", "\u017F\u0323\u0307", "\u1E69", "s\u0323\u0307"},
        {"a\u0315\u0300\u05AE\u0300b", "\u00E0\u05AE\u0300\u0315b", "a\u05AE\u0300\u0300\u0315b",
         "\u00E0\u05AE\u0300\u0315b", "a\u05AE\u0300\u0300\u0315b"},
        {"\uAC01", "\uAC01", "\u1100\u1161\u11A8", "\uAC01", "\u1100\u1161\u11A8"},
        {"\u1100\u1161\u11A8", "\uAC01", "\u1100\u1161\u11A8", "\uAC01", "\u1100\u1161\u11A8"},
        {"\u0958", "\u0915\u093C", "\u0915\u093C", "\u0915\u093C", "\u0915\u093C"},
        {"\uFF76\uFF9E", "\uFF76\uFF9E", "\uFF76\uFF9E", "\u30AC", "\u30AB\u3099"},
        {"x\uFFFE\uFFFF", "x\uFFFE\uFFFF", "x\uFFFE\uFFFF", "x\uFFFE\uFFFF", "x\uFFFE\uFFFF"},
        {"e\xFF\u0301", "e\xFF\u0301", "e\xFF\u0301", "e\xFF\u0301", "e\xFF\u0301"},
    };
    for (const Row& row : rows) {
        CAPTURE(std::string(row.text));
        CHECK(in_form(row.text, UnicodeForm::nfc) == row.nfc);
        CHECK(in_form(row.text, UnicodeForm::nfd) == row.nfd);
        CHECK(in_form(row.text, UnicodeForm::nfkc) == row.nfkc);
        CHECK(in_form(row.text, UnicodeForm::nfkd) == row.nfkd);
        for (const UnicodeForm form :
             {UnicodeForm::nfc, UnicodeForm::nfd, UnicodeForm::nfkc, UnicodeForm::nfkd}) {
            if (is_in_form(row.text, form)) {
                CHECK(in_form(row.text, form) == row.text);
            }
        }
    }
}

TEST_CASE("the longest decomposition of one character is whole") {
    CHECK(in_form("\uFDFA", UnicodeForm::nfkc).size() == 33);
}

TEST_CASE("lower case, each character by itself") {
    std::string out;
    append_lowercase("ABC \u0130 \u03A3\u03A3 \u1E9E \u00DF \xFF Z\u00C9", out);
    CHECK(out == "abc i\u0307 \u03C3\u03C3 \u00DF \u00DF \xFF z\u00E9");
}

TEST_CASE("a megabyte of marks in the wrong order takes no longer than other text") {
    std::string text = "a";
    for (int i = 0; i < 250000; ++i) {
        text += "\u0301\u0316"; // classes 230 and 220
    }
    const auto start = std::chrono::steady_clock::now();
    CHECK(in_form(text, UnicodeForm::nfc).size() > 900000);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    CHECK(seconds.count() < (test::kSanitized ? 30.0 : 2.0));
}
