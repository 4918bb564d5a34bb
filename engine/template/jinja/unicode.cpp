// SPDX-License-Identifier: Apache-2.0
#include "engine/template/jinja/unicode.h"

#include <algorithm>
#include <iterator>

namespace sotto::jinja {
namespace {

struct Range {
    char32_t first, last;
};

template <std::size_t N>
bool among(const Range (&ranges)[N], char32_t c) {
    const Range* at = std::lower_bound(std::begin(ranges), std::end(ranges), c,
                                       [](const Range& r, char32_t x) { return r.last < x; });
    return at != std::end(ranges) && at->first <= c;
}

// Unicode 14: controls, formats, separators other than the blank, surrogates, private use.
constexpr Range kUnprintable[] = {
    {0x00, 0x1F},       {0x7F, 0xA0},        {0xAD, 0xAD},       {0x600, 0x605},
    {0x61C, 0x61C},     {0x6DD, 0x6DD},      {0x70F, 0x70F},     {0x890, 0x891},
    {0x8E2, 0x8E2},     {0x1680, 0x1680},    {0x180E, 0x180E},   {0x2000, 0x200F},
    {0x2028, 0x202F},   {0x205F, 0x206F},    {0x3000, 0x3000},   {0xD800, 0xF8FF},
    {0xFEFF, 0xFEFF},   {0xFFF0, 0xFFFB},    {0xFFFE, 0xFFFF},   {0x110BD, 0x110BD},
    {0x110CD, 0x110CD}, {0x13430, 0x13438},  {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A},
    {0xE0000, 0xE00FF}, {0xF0000, 0x10FFFF},
};

// Blocks beyond ASCII that hold punctuation, marks, symbols and emoji but hardly a letter.
constexpr Range kNoLetters[] = {
    {0x80, 0xA9},     {0xAB, 0xB4},       {0xB6, 0xB9},        {0xBB, 0xBF},     {0xD7, 0xD7},
    {0xF7, 0xF7},     {0x2C2, 0x2C5},     {0x2D2, 0x2DF},      {0x300, 0x36F},   {0x37E, 0x37E},
    {0x387, 0x387},   {0x482, 0x489},     {0x591, 0x5CF},      {0x600, 0x61F},   {0x64B, 0x66D},
    {0x2000, 0x2070}, {0x2072, 0x207E},   {0x2080, 0x208F},    {0x20A0, 0x2101}, {0x2190, 0x2BFF},
    {0x2E00, 0x2E7F}, {0x2FF0, 0x3004},   {0x3007, 0x3030},    {0x303D, 0x3040}, {0x3200, 0x33FF},
    {0xD800, 0xF8FF}, {0xFE00, 0xFE6F},   {0xFEFF, 0xFF20},    {0xFF3B, 0xFF40}, {0xFF5B, 0xFF65},
    {0xFFE0, 0xFFFF}, {0x1F000, 0x1FAFF}, {0xE0000, 0x10FFFF},
};

bool ascii_upper(char32_t c) {
    return c >= 'A' && c <= 'Z';
}
bool ascii_lower(char32_t c) {
    return c >= 'a' && c <= 'z';
}

/// In these stretches capital and small letters take turns; `even`: capitals are even.
bool alternating(char32_t c, bool& even) {
    even = !((c >= 0x139 && c <= 0x148) || (c >= 0x179 && c <= 0x17E));
    return (c >= 0x100 && c <= 0x12F) || (c >= 0x132 && c <= 0x137) || (c >= 0x139 && c <= 0x148) ||
           (c >= 0x14A && c <= 0x177) || (c >= 0x179 && c <= 0x17E) || (c >= 0x1DE && c <= 0x1EF) ||
           (c >= 0x1F8 && c <= 0x21F) || (c >= 0x460 && c <= 0x481) || (c >= 0x48A && c <= 0x4BF) ||
           (c >= 0x4D0 && c <= 0x52F) || (c >= 0x1E00 && c <= 0x1E95) ||
           (c >= 0x1EA0 && c <= 0x1EFF);
}

struct Shift {
    char32_t first, last; // small letters
    char32_t down;        // to the capital
};
constexpr Shift kShifts[] = {
    {0xE0, 0xF6, 32},   {0xF8, 0xFE, 32},   {0x3AC, 0x3AC, 38}, {0x3AD, 0x3AF, 37},
    {0x3B1, 0x3C1, 32}, {0x3C3, 0x3CB, 32}, {0x3CC, 0x3CC, 64}, {0x3CD, 0x3CE, 63},
    {0x430, 0x44F, 32}, {0x450, 0x45F, 80}, {0x561, 0x586, 48}, {0xFF41, 0xFF5A, 32},
};

char32_t simple_upper(char32_t c) {
    if (c < 0x80) {
        return ascii_lower(c) ? c - 32 : c;
    }
    for (const Shift& s : kShifts) {
        if (c >= s.first && c <= s.last) {
            return c - s.down;
        }
    }
    bool even = true;
    if (c == 0x131) {
        return 'I';
    }
    return c == 0xFF                                      ? 0x178
           : c == 0xB5                                    ? 0x39C
           : c == 0x3C2                                   ? 0x3A3
           : alternating(c, even) && (c % 2 == 0) != even ? c - 1
                                                          : c;
}

char32_t simple_lower(char32_t c) {
    if (c < 0x80) {
        return ascii_upper(c) ? c + 32 : c;
    }
    for (const Shift& s : kShifts) {
        if (c >= s.first - s.down && c <= s.last - s.down) {
            return c + s.down;
        }
    }
    bool even = true;
    return c == 0x178                                     ? 0xFF
           : c == 0x1E9E                                  ? 0xDF
           : alternating(c, even) && (c % 2 == 0) == even ? c + 1
                                                          : c;
}

} // namespace

bool is_space(char32_t c) {
    return (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x20) || c == 0x85 || c == 0xA0 ||
           c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 ||
           c == 0x202F || c == 0x205F || c == 0x3000;
}
bool is_digit(char32_t c) {
    return (c >= '0' && c <= '9') || c == 0xB2 || c == 0xB3 || c == 0xB9 ||
           (c >= 0x660 && c <= 0x669) || (c >= 0x6F0 && c <= 0x6F9) || (c >= 0x966 && c <= 0x96F) ||
           (c >= 0xFF10 && c <= 0xFF19);
}
bool is_alpha(char32_t c) {
    return c < 0x80 ? ascii_upper(c) || ascii_lower(c)
                    : !among(kNoLetters, c) && !is_digit(c) && !is_space(c);
}
bool is_printable(char32_t c) {
    return !among(kUnprintable, c);
}
bool is_upper(char32_t c) {
    return simple_lower(c) != c;
}
bool is_lower(char32_t c) {
    return simple_upper(c) != c || c == 0xDF || c == 0xAA || c == 0xBA;
}

void append_upper(std::string& out, char32_t c) {
    if (c == 0xDF) {
        out += "SS";
        return;
    }
    append_utf8(out, simple_upper(c));
}
void append_lower(std::string& out, char32_t c) {
    append_utf8(out, c == 0x130 ? 'i' : simple_lower(c));
    if (c == 0x130) {
        append_utf8(out, 0x307);
    }
}

void append_utf8(std::string& out, char32_t c) {
    if (c < 0x80) {
        out += static_cast<char>(c);
    } else if (c < 0x800) {
        out += static_cast<char>(0xC0 | (c >> 6));
        out += static_cast<char>(0x80 | (c & 0x3F));
    } else if (c < 0x10000) {
        out += static_cast<char>(0xE0 | (c >> 12));
        out += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
        out += static_cast<char>(0x80 | (c & 0x3F));
    } else {
        out += static_cast<char>(0xF0 | (c >> 18));
        out += static_cast<char>(0x80 | ((c >> 12) & 0x3F));
        out += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
        out += static_cast<char>(0x80 | (c & 0x3F));
    }
}

std::size_t n_chars(std::string_view bytes) {
    std::size_t n = 0;
    for (; !bytes.empty(); ++n) {
        bytes.remove_prefix(next_char(bytes).n_bytes);
    }
    return n;
}

std::size_t offset_of(std::string_view bytes, std::size_t index) {
    std::string_view rest = bytes;
    for (; index > 0 && !rest.empty(); --index) {
        rest.remove_prefix(next_char(rest).n_bytes);
    }
    return bytes.size() - rest.size();
}

std::size_t leading_space(std::string_view bytes) {
    std::size_t at = 0;
    while (at < bytes.size()) {
        const auto c = next_char(bytes.substr(at));
        if (!c.valid || !is_space(c.code_point)) {
            break;
        }
        at += c.n_bytes;
    }
    return at;
}

std::size_t trailing_space(std::string_view bytes) {
    std::size_t end = bytes.size();
    while (end > 0) {
        std::size_t begin = end - 1;
        while (begin > 0 && end - begin < 4 && (bytes[begin] & 0xC0) == 0x80) {
            --begin;
        }
        const auto c = next_char(bytes.substr(begin, end - begin));
        if (!c.valid || begin + c.n_bytes != end || !is_space(c.code_point)) {
            break;
        }
        end = begin;
    }
    return bytes.size() - end;
}

} // namespace sotto::jinja
