// SPDX-License-Identifier: Apache-2.0
#include "engine/tokenizer/regex_dialect.h"

namespace sotto::tokenizer {
namespace {

/// What stands in brackets for a class, "" if PCRE2 has the same.
std::string_view members(char c) {
    switch (c) {
    case 's':
    case 'S':
        return R"(\t-\r \x{85}\x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000})";
    case 'w':
    case 'W':
        return R"(\p{L}\p{M}\p{Nd}\p{Pc})";
    case 'h':
    case 'H':
        return "0-9A-Fa-f";
    default:
        return {};
    }
}

bool is_negated(char c) {
    return c == 'S' || c == 'W' || c == 'H';
}

} // namespace

std::string from_oniguruma(std::string_view regex) {
    std::string out;
    int depth = 0; // of brackets
    for (std::size_t i = 0; i < regex.size(); ++i) {
        const char c = regex[i];
        if (c != '\\' || i + 1 == regex.size()) {
            depth += c == '[' ? 1 : c == ']' && depth > 0 ? -1 : 0;
            out += c;
            continue;
        }
        const char kind = regex[++i];
        const std::string_view set = members(kind);
        if (set.empty() || (depth > 0 && is_negated(kind))) { // PCRE2 cannot take out of a class
            out += {c, kind};
        } else if (depth > 0) {
            out += set;
        } else {
            out += (is_negated(kind) ? "[^" : "[") + std::string(set) + "]";
        }
    }
    return out;
}

} // namespace sotto::tokenizer
