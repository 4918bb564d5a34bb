// SPDX-License-Identifier: Apache-2.0
#include "app/cli/shown_text.h"

#include <algorithm>
#include <cstdio>
#include <vector>

namespace sotto::cli {
namespace {

/// Length of the well-formed UTF-8 sequence at `at`; 0: none. Overlong forms do not matter here.
std::size_t sequence_length(const std::string& text, std::size_t at) {
    const auto byte = [&](std::size_t i) {
        return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0U;
    };
    const unsigned lead = byte(0);
    const std::size_t n = lead < 0x80   ? 1
                          : lead < 0xC2 ? 0
                          : lead < 0xE0 ? 2
                          : lead < 0xF0 ? 3
                          : lead < 0xF5 ? 4
                                        : 0;
    for (std::size_t i = 1; i < n; ++i) {
        if ((byte(i) & 0xC0) != 0x80) {
            return 0;
        }
    }
    return n;
}

/// What a terminal would obey: C0, DEL, C1 (C2 80 to C2 9F).
bool is_control(const std::string& piece) {
    const auto first = static_cast<unsigned char>(piece[0]);
    return piece.size() == 1
               ? first < 0x20 || first == 0x7F
               : piece.size() == 2 && first == 0xC2 && static_cast<unsigned char>(piece[1]) < 0xA0;
}

std::string escaped(const std::string& bytes) {
    if (bytes == "\n" || bytes == "\t") {
        return bytes == "\n" ? "\\n" : "\\t";
    }
    std::string text;
    for (const char c : bytes) {
        char hex[8];
        std::snprintf(hex, sizeof hex, "\\x%02x", static_cast<unsigned>(c) & 0xFF);
        text += hex;
    }
    return text;
}

/// The text in pieces that are never broken: a character, or an escape.
std::vector<std::string> pieces_of(const std::string& text) {
    std::vector<std::string> pieces;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t n = sequence_length(text, at);
        const std::string piece = text.substr(at, n == 0 ? 1 : n);
        pieces.push_back(n == 0 || is_control(piece) ? escaped(piece) : piece);
        at += piece.size();
    }
    return pieces;
}

/// Columns, as if every character took one.
std::size_t columns(const std::string& piece) {
    const bool ascii = static_cast<unsigned char>(piece[0]) < 0x80;
    return ascii ? piece.size() : 1;
}

/// How many of pieces[begin...] go on a line of `room` columns: up to the last blank that fits.
std::size_t fitting(const std::vector<std::string>& pieces, std::size_t begin, std::size_t room) {
    std::size_t used = 0, end = begin, blank = begin;
    while (end < pieces.size() && used + columns(pieces[end]) <= room) {
        used += columns(pieces[end++]);
        blank = end < pieces.size() && pieces[end] == " " ? end : blank;
    }
    return (end == pieces.size() || blank == begin ? end : blank) - begin;
}

} // namespace

std::string shown(const std::string& text) {
    std::string out;
    for (const std::string& piece : pieces_of(text)) {
        out += piece;
    }
    return out;
}

std::string wrapped(const std::string& first, const std::string& text, std::size_t indent,
                    std::size_t width) {
    const std::vector<std::string> pieces = pieces_of(text);
    std::string out = first;
    std::size_t room = width - first.size();
    for (std::size_t at = 0; at < pieces.size();) {
        const std::size_t n = std::max<std::size_t>(1, fitting(pieces, at, room));
        for (std::size_t i = at; i < at + n; ++i) {
            out += pieces[i];
        }
        at += n;
        while (at < pieces.size() && pieces[at] == " ") {
            ++at;
        }
        out += at < pieces.size() ? "\n" + std::string(indent, ' ') : "";
        room = width - indent;
    }
    return out + "\n";
}

} // namespace sotto::cli
