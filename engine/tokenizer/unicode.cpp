// SPDX-License-Identifier: Apache-2.0
#include "engine/tokenizer/unicode.h"

#include "engine/base/utf8.h"

#include <utf8proc.h>

namespace sotto::tokenizer {
namespace {

/// Where the last character of a text that is not empty begins.
std::size_t last_begin(std::string_view text) {
    std::size_t at = text.size() - 1;
    const std::size_t limit = text.size() < 4 ? 0 : text.size() - 4;
    while (at > limit && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) {
        --at;
    }
    const utf8::Decoded d = utf8::decode(text.substr(at));
    return d.valid && at + d.n_bytes == text.size() ? at : text.size() - 1;
}

} // namespace

bool is_white_space(char32_t c) {
    return (c >= 0x09 && c <= 0x0D) || c == 0x20 || c == 0x85 || c == 0xA0 || c == 0x1680 ||
           (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F ||
           c == 0x205F || c == 0x3000;
}

bool is_word_character(char32_t c) {
    switch (utf8proc_category(static_cast<utf8proc_int32_t>(c))) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_PC:
        return true;
    default:
        return false;
    }
}

std::size_t leading_white_space(std::string_view text) {
    std::size_t n = 0;
    while (n < text.size()) {
        const utf8::Decoded d = utf8::decode(text.substr(n));
        if (!d.valid || !is_white_space(d.code_point)) {
            break;
        }
        n += d.n_bytes;
    }
    return n;
}

std::size_t trailing_white_space(std::string_view text) {
    std::size_t end = text.size();
    while (end > 0 && is_white_space(last_character(text.substr(0, end)))) {
        end = last_begin(text.substr(0, end));
    }
    return text.size() - end;
}

char32_t last_character(std::string_view text) {
    return utf8::decode(text.substr(last_begin(text))).code_point;
}

} // namespace sotto::tokenizer
