// SPDX-License-Identifier: Apache-2.0
#include "engine/tokenizer/byte_level.h"

#include "engine/base/utf8.h"

#include <charconv>
#include <system_error>

namespace sotto::tokenizer {
namespace {

constexpr int kFirstExtra = 0x100;
constexpr int kNExtra = 68;

bool stands_for_itself(int byte) {
    return (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) ||
           (byte >= 0xAE && byte <= 0xFF);
}

std::array<int, 256> code_points() {
    std::array<int, 256> points{};
    int extra = kFirstExtra;
    for (int b = 0; b < 256; ++b) {
        points[static_cast<std::size_t>(b)] = stands_for_itself(b) ? b : extra++;
    }
    return points;
}

} // namespace

const std::array<std::string, 256>& byte_stand_ins() {
    static const std::array<std::string, 256> table = [] {
        std::array<std::string, 256> t;
        const std::array<int, 256> points = code_points();
        for (std::size_t b = 0; b < 256; ++b) {
            const int c = points[b];
            if (c < 0x80) {
                t[b] = static_cast<char>(c);
            } else {
                t[b] = {static_cast<char>(0xC0 | (c >> 6)), static_cast<char>(0x80 | (c & 0x3F))};
            }
        }
        return t;
    }();
    return table;
}

bool bytes_of_stand_ins(std::string_view spelling, std::string& bytes) {
    static const std::array<int, kFirstExtra + kNExtra> byte_of = [] {
        std::array<int, kFirstExtra + kNExtra> t{};
        t.fill(-1);
        const std::array<int, 256> points = code_points();
        for (int b = 0; b < 256; ++b) {
            t[static_cast<std::size_t>(points[static_cast<std::size_t>(b)])] = b;
        }
        return t;
    }();
    bytes.clear();
    while (!spelling.empty()) {
        const utf8::Decoded d = utf8::decode(spelling);
        const int byte = d.valid && d.code_point < byte_of.size() ? byte_of[d.code_point] : -1;
        if (byte < 0) {
            return false;
        }
        bytes += static_cast<char>(byte);
        spelling.remove_prefix(d.n_bytes);
    }
    return true;
}

std::string token_of_byte(unsigned byte) {
    constexpr std::string_view kHex = "0123456789ABCDEF";
    return {'<', '0', 'x', kHex[byte >> 4 & 15], kHex[byte & 15], '>'};
}

int byte_of_token(std::string_view text) {
    if (text.size() != 6 || !text.starts_with("<0x") || text[5] != '>') {
        return -1;
    }
    int byte = 0;
    const auto [end, error] = std::from_chars(text.data() + 3, text.data() + 5, byte, 16);
    return error == std::errc{} && end == text.data() + 5 ? byte : -1;
}

} // namespace sotto::tokenizer
