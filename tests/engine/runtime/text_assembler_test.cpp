// SPDX-License-Identifier: Apache-2.0
#include "engine/runtime/text_assembler.h"

#include "engine/base/utf8.h"

#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

using sotto::runtime::TextAssembler;

namespace {

/// What is shown after each piece, and at the end.
std::vector<std::string> shown(const std::vector<std::string>& stops,
                               const std::vector<std::string>& pieces) {
    TextAssembler a(stops);
    std::vector<std::string> parts;
    for (const std::string& piece : pieces) {
        parts.push_back(a.push(piece));
    }
    parts.push_back(a.finish());
    return parts;
}

using Parts = std::vector<std::string>;

} // namespace

TEST_CASE("a character comes whole, over two, three or four tokens") {
    CHECK(shown({}, {"\xF0\x9F", "\x99\x82"}) == Parts{"", "\xF0\x9F\x99\x82", ""});
    CHECK(shown({}, {"\xF0", "\x9F\x99", "\x82"}) == Parts{"", "", "\xF0\x9F\x99\x82", ""});
    CHECK(shown({}, {"a\xF0", "\x9F", "\x99",
                     "\x82"
                     "b"}) == Parts{"a", "", "",
                                    "\xF0\x9F\x99\x82"
                                    "b",
                                    ""});
}

TEST_CASE("what is no UTF-8 becomes U+FFFD, at once or at the end") {
    CHECK(shown({}, {"a\xFF"
                     "b"}) == Parts{"a\xEF\xBF\xBD"
                                    "b",
                                    ""});
    CHECK(shown({}, {"\x82"}) == Parts{"\xEF\xBF\xBD", ""});
    CHECK(shown({}, {"\xE2\x82"}) == Parts{"", "\xEF\xBF\xBD"});
    CHECK(shown({}, {"\xE2\x82", "x"}) == Parts{"", "\xEF\xBF\xBDx", ""});
}

TEST_CASE("nothing of a stop string is shown, over as many tokens as it takes") {
    CHECK(shown({"DEFGHIJ"}, {"abcDEF", "G", "HI", "Jxyz", "more"}) ==
          Parts{"abc", "", "", "", "", ""});
    CHECK(shown({"beta gamma"}, {"alpha beta", " gamma delta"}) == Parts{"alpha ", "", ""});
    CHECK(shown({"DEFGHIJ"}, {"abcDEF", "Gx"}) == Parts{"abc", "DEFGx", ""});
    CHECK(shown({"stop"}, {"stop"}) == Parts{"", ""});
    CHECK(shown({"stop"}, {"sto"}) == Parts{"", "sto"}); // the answer ended: it was none
    CHECK(shown({"aab"}, {"aaa", "b"}) == Parts{"a", "", ""});
    CHECK(shown({"", "x"}, {"abxc"}) == Parts{"ab", ""});
    CHECK(shown({"later", "ear"}, {"an earlier word"}) == Parts{"an ", ""}); // the earliest ends it
    CHECK(shown({"\xE2\x82\xAC"}, {"5 \xE2\x82", "\xAC!"}) == Parts{"5 ", "", ""});
}

TEST_CASE("however the bytes are cut, the text and the place of the stop are the same") {
    std::mt19937 random(4);
    const std::string text =
        "caf\xC3\xA9 \xF0\x9F\x99\x82 abab abc STOPS \xE4\xBD\xA0\xE5\xA5\xBD tail";
    for (const std::vector<std::string>& stops :
         {Parts{}, Parts{"STOP"}, Parts{"abc", "ababc"}, Parts{"\xE5\xA5\xBD"}}) {
        std::string expected;
        for (const std::string& part : shown(stops, {text})) {
            expected += part;
        }
        for (int round = 0; round < 500; ++round) {
            Parts pieces;
            for (std::size_t at = 0; at < text.size();) {
                const std::size_t n = 1 + random() % 5;
                pieces.push_back(text.substr(at, n));
                at += n;
            }
            std::string joined;
            for (const std::string& part : shown(stops, pieces)) {
                joined += part;
            }
            REQUIRE(joined == expected);
        }
    }
}

TEST_CASE("overlapping stops: the one that is complete first ends the text, of those the longest") {
    CHECK(shown({"abc", "bc"}, {"x", "a", "b", "c"}) == Parts{"x", "", "", "", ""});
    CHECK(shown({"bc", "abcd"}, {"xabcd"}) == Parts{"xa", ""}); // "bc" is there before "abcd" is
    CHECK(shown({"ab", "abc"}, {"xabc"}) == Parts{"x", ""});
    CHECK(shown({"abab", "babc"}, {"ab", "abc"}) == Parts{"", "", ""});
    CHECK(shown({"aab", "b"}, {"aaab"}) == Parts{"a", ""});
    CHECK(shown({"x", "x", ""}, {"x"}) == Parts{"", ""});
}

TEST_CASE("after a stop nothing comes, an incomplete character before it neither") {
    TextAssembler a({"\n"});
    CHECK(a.push("one\ntwo\xF0\x9F") == "one");
    CHECK(a.stopped());
    CHECK(a.push("\x99\x82 three").empty());
    CHECK(a.finish().empty());
    TextAssembler b({"stop"});
    CHECK(b.push("st").empty());
    CHECK_FALSE(b.stopped());
    CHECK(b.finish() == "st");
}

TEST_CASE("random bytes in random pieces: always valid, and the text is the same as in one piece") {
    std::mt19937 random(6);
    for (int round = 0; round < 1000; ++round) {
        std::string bytes;
        for (auto n = random() % 40; n > 0; --n) {
            bytes += "a\x80\xBF\xC3\xE2\xF0\x9F\xED\xFF\xF4"[random() % 10];
        }
        TextAssembler a({"a\xEF\xBF\xBD"
                         "aa"});
        std::string text;
        for (std::size_t at = 0; at < bytes.size();) {
            const std::size_t n = 1 + random() % 4;
            const std::string part = a.push(bytes.substr(at, n));
            REQUIRE(sotto::utf8::valid(part));
            text += part;
            at += n;
        }
        text += a.finish();
        const std::string whole = sotto::utf8::sanitize(bytes);
        REQUIRE(text == whole.substr(0, whole.find("a\xEF\xBF\xBD"
                                                   "aa")));
    }
}

TEST_CASE("long stop strings that almost match take no longer than short ones") {
    const std::string stop = std::string(20000, 'a') + "b";
    TextAssembler a({stop, "zzz"});
    std::string text;
    for (int i = 0; i < 200000; ++i) {
        text += a.push("a");
    }
    CHECK(text == std::string(200000 - 20000, 'a')); // all but what could begin the stop string
    CHECK(a.push("b").empty());
    CHECK(a.stopped());
}
