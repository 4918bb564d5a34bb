// SPDX-License-Identifier: Apache-2.0
#include "engine/base/utf8.h"

namespace sotto::utf8 {
namespace {

/// Of a lead byte: length of its sequence (0: no lead) and the range its second byte must be in.
struct Lead {
    std::size_t length;
    unsigned char low, high;
};

Lead lead_of(unsigned char b) {
    if (b < 0x80)
        return {1, 0, 0};
    if (b < 0xC2)
        return {0, 0, 0};
    if (b < 0xE0)
        return {2, 0x80, 0xBF};
    if (b == 0xE0)
        return {3, 0xA0, 0xBF};
    if (b == 0xED)
        return {3, 0x80, 0x9F};
    if (b < 0xF0)
        return {3, 0x80, 0xBF};
    if (b == 0xF0)
        return {4, 0x90, 0xBF};
    if (b < 0xF4)
        return {4, 0x80, 0xBF};
    if (b == 0xF4)
        return {4, 0x80, 0x8F};
    return {0, 0, 0};
}

} // namespace

Decoded decode(std::string_view bytes) {
    const auto at = [bytes](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
    const Lead lead = lead_of(at(0));
    if (lead.length <= 1) {
        return lead.length == 1 ? Decoded{at(0), 1, true, false} : Decoded{0xFFFD, 1, false, false};
    }
    char32_t code = at(0) & (0xFFu >> (lead.length + 1));
    for (std::size_t i = 1; i < lead.length; ++i) {
        if (i == bytes.size()) {
            return {0xFFFD, i, false, true};
        }
        const unsigned char low = i == 1 ? lead.low : 0x80;
        const unsigned char high = i == 1 ? lead.high : 0xBF;
        if (at(i) < low || at(i) > high) {
            return {0xFFFD, i, false, false};
        }
        code = (code << 6) | (at(i) & 0x3F);
    }
    return {code, lead.length, true, false};
}

bool valid(std::string_view bytes) {
    while (!bytes.empty()) {
        const Decoded d = decode(bytes);
        if (!d.valid) {
            return false;
        }
        bytes.remove_prefix(d.n_bytes);
    }
    return true;
}

std::size_t incomplete_tail(std::string_view bytes) {
    for (std::size_t n = 1; n <= 3 && n <= bytes.size(); ++n) {
        const std::string_view tail = bytes.substr(bytes.size() - n);
        if ((static_cast<unsigned char>(tail[0]) & 0xC0) != 0x80) { // a lead byte, or ASCII
            const Decoded d = decode(tail);
            return d.incomplete && d.n_bytes == n ? n : 0;
        }
    }
    return 0;
}

std::string sanitize(std::string_view bytes) {
    std::string text;
    text.reserve(bytes.size());
    while (!bytes.empty()) {
        const Decoded d = decode(bytes);
        text += d.valid ? bytes.substr(0, d.n_bytes) : std::string_view("\xEF\xBF\xBD");
        bytes.remove_prefix(d.n_bytes);
    }
    return text;
}

} // namespace sotto::utf8
