// SPDX-License-Identifier: Apache-2.0
#include "engine/base/utf8.h"

#include <doctest/doctest.h>

#include <random>

using namespace sotto;

namespace {

/// Encodes as table 3-6 of Unicode says, without looking at what may be encoded.
std::string encode(char32_t c) {
    const auto byte = [](char32_t b) { return static_cast<char>(static_cast<unsigned char>(b)); };
    const auto more = [&](int shift, char32_t code) {
        return byte(0x80 | ((code >> shift) & 0x3F));
    };
    if (c < 0x80) {
        return {byte(c)};
    }
    if (c < 0x800) {
        return {byte(0xC0 | (c >> 6)), more(0, c)};
    }
    if (c < 0x10000) {
        return {byte(0xE0 | (c >> 12)), more(6, c), more(0, c)};
    }
    return {byte(0xF0 | (c >> 18)), more(12, c), more(6, c), more(0, c)};
}

const std::string kBad = "\xEF\xBF\xBD";

std::string bad(int n) {
    std::string text;
    while (n-- > 0) {
        text += kBad;
    }
    return text;
}

} // namespace

TEST_CASE("every code point is read back; surrogates and what lies beyond U+10FFFF are not") {
    std::size_t n_wrong = 0;
    for (char32_t c = 0; c < 0x120000; ++c) {
        const std::string bytes = encode(c);
        const utf8::Decoded d = utf8::decode(bytes + "x");
        const bool allowed = c < 0x110000 && (c < 0xD800 || c > 0xDFFF);
        const bool right = allowed ? d.valid && d.code_point == c && d.n_bytes == bytes.size()
                                   : !d.valid && d.code_point == 0xFFFD && !d.incomplete;
        n_wrong += right && utf8::valid(bytes) == allowed ? 0 : 1;
    }
    CHECK(n_wrong == 0);
}

TEST_CASE("invalid parts become one U+FFFD for each maximal subpart") {
    struct Row {
        std::string bytes, text;
    };
    const Row rows[] = {
        {"", ""},
        {"plain \xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80",
         "plain \xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80"},
        {std::string("a\0b", 3), std::string("a\0b", 3)},
        // The examples of the Unicode standard, tables 3-8 to 3-11
        {"\x61\xF1\x80\x80\xE1\x80\xC2\x62\x80\x63\x80\xBF\x64",
         "a" + bad(3) + "b" + bad(1) + "c" + bad(2) + "d"},
        {"\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41", bad(8) + "A"},
        {"\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41", bad(8) + "A"},
        {"\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42", bad(5) + "A" + bad(2) + "B"},
        {"\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41", bad(4) + "A"},
        {"\xF0\x9F\x98", bad(1)},
        {"\xE2\x82", bad(1)},
    };
    for (const Row& row : rows) {
        CHECK(utf8::sanitize(row.bytes) == row.text);
        CHECK(utf8::valid(row.bytes) == (row.bytes == row.text));
        CHECK(utf8::valid(row.text));
    }
}

TEST_CASE("incomplete tails") {
    struct Row {
        std::string bytes;
        std::size_t n;
    };
    const Row rows[] = {
        {"", 0},
        {"abc", 0},
        {"a\xC3", 1},
        {"a\xC3\xA9", 0},
        {"\xE2", 1},
        {"\xE2\x82", 2},
        {"\xE2\x82\xAC", 0},
        {"\xF0", 1},
        {"x\xF0\x9F", 2},
        {"x\xF0\x9F\x98", 3},
        {"x\xF0\x9F\x98\x80", 0},
        {"\x80", 0}, // begins nothing
        {"\x80\x80\x80\x80", 0},
        {"\xC0", 0},     // can never become a character
        {"\xE0\x80", 0}, // overlong
        {"\xED\xA0", 0}, // a surrogate
        {"\xF4\x90", 0}, // beyond U+10FFFF
        {"\xF5\x80", 0},
        {"\xE2\x28", 0},
        {"\xC3\xA9\xC3", 1},
    };
    for (const Row& row : rows) {
        CAPTURE(utf8::sanitize(row.bytes));
        CHECK(utf8::incomplete_tail(row.bytes) == row.n);
    }
}

// What a stream of tokens does: pieces end anywhere, the tail waits for the next one.
TEST_CASE("text cut into pieces is the whole text") {
    std::mt19937 random(7);
    // Bytes that often make up valid, cut and wrong sequences
    const std::string alphabet = "a\x80\x9F\xA0\xBF\xC2\xE0\xE2\xED\xF0\xF4\xFF";
    for (int round = 0; round < 2000; ++round) {
        std::string bytes;
        for (int i = 0; i < 24; ++i) {
            bytes += alphabet[random() % alphabet.size()];
        }
        std::string shown, waiting;
        for (std::size_t at = 0; at < bytes.size();) {
            const std::size_t n = 1 + random() % 4;
            waiting += bytes.substr(at, n);
            at += n;
            const std::size_t keep = utf8::incomplete_tail(waiting);
            shown += utf8::sanitize(waiting.substr(0, waiting.size() - keep));
            waiting.erase(0, waiting.size() - keep);
        }
        shown += utf8::sanitize(waiting);
        REQUIRE(shown == utf8::sanitize(bytes));
    }
}
