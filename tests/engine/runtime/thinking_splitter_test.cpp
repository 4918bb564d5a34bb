// SPDX-License-Identifier: Apache-2.0
#include "engine/runtime/thinking_splitter.h"

#include <doctest/doctest.h>

using namespace sotto;
using runtime::ThinkingSplitter;

namespace {

const ThinkingMarks kThink{"<think>", "</think>"};

struct Case {
    const char* name;
    bool inside;
    const char* text;
    const char* thinking;
    const char* answer;
};

const Case kCases[] = {
    {"no thought", false, "Hello <b>", "", "Hello <b>"},
    {"a thought", false, "<think>\nwell, 1 < 2\n</think>\n\nHello", "well, 1 < 2", "Hello"},
    {"blanks before it", false, "\n <think>a</think>b", "a", "b"},
    {"blanks of an answer without one", false, "  Hello ", "", "  Hello "},
    {"opened by the prompt", true, "so\n\nit is</think> Yes", "so\n\nit is", "Yes"},
    {"opened twice", true, "<think>a</think>b", "<think>a", "b"},
    {"an empty thought", false, "<think>\n\n</think>\n\nYes", "", "Yes"},
    {"never closed", false, "<think>on and on ", "on and on", ""},
    {"half a mark at the end", true, "a </thin", "a </thin", ""},
    {"half an opening mark", false, "<thi", "", "<thi"},
    {"marks later are text", false, "x <think>y</think> z", "", "x <think>y</think> z"},
    {"the closing mark again", false, "<think>a</think>b</think>c", "a", "b</think>c"},
    {"almost a mark", true, "a</thin k</think>b", "a</thin k", "b"},
    {"code with blanks", false, "<think>a</think>\n    code\n", "a", "code\n"},
};

ThinkingSplitter::Parts split(const Case& c, std::size_t step) {
    ThinkingSplitter splitter(kThink, c.inside);
    ThinkingSplitter::Parts all;
    const auto add = [&all](const ThinkingSplitter::Parts& p) {
        all.thinking += p.thinking;
        all.text += p.text;
    };
    const std::string text = c.text;
    for (std::size_t i = 0; i < text.size(); i += step) {
        add(splitter.push(text.substr(i, step)));
    }
    add(splitter.finish());
    return all;
}

} // namespace

TEST_CASE("thoughts and answers are told apart, however the text is cut") {
    for (const Case& c : kCases) {
        for (const std::size_t step : {1, 2, 3, 7, 1000}) {
            CAPTURE(c.name);
            CAPTURE(step);
            const auto parts = split(c, step);
            CHECK(parts.thinking == c.thinking);
            CHECK(parts.text == c.answer);
        }
    }
}

TEST_CASE("without marks all is text at once") {
    ThinkingSplitter splitter({}, false);
    CHECK(splitter.push("<think>").text == "<think>");
    CHECK(splitter.push(" a ").text == " a ");
}

TEST_CASE("a thought is shown as it comes, but for blanks and what may be the mark") {
    ThinkingSplitter splitter(kThink, false);
    CHECK(splitter.push("<think>\nLet me").thinking == "Let me");
    CHECK(splitter.inside());
    CHECK(splitter.push(" see.\n").thinking == " see.");
    CHECK(splitter.push("\nWell </th").thinking == "\n\nWell");
    CHECK(splitter.push("ink>").thinking.empty());
    CHECK_FALSE(splitter.inside());
    CHECK(splitter.push("\n\n").text.empty());
    CHECK(splitter.push("Yes").text == "Yes");
}
