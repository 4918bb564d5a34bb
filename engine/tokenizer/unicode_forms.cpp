// SPDX-License-Identifier: Apache-2.0
#include "engine/tokenizer/unicode_forms.h"

#include "engine/base/utf8.h"

#include <utf8proc.h>

#include <algorithm>
#include <vector>

namespace sotto::tokenizer {
namespace {

using CodePoints = std::vector<utf8proc_int32_t>;

void append_code_point(utf8proc_int32_t c, std::string& out) {
    utf8proc_uint8_t bytes[4];
    const auto n = utf8proc_encode_char(c, bytes);
    out.append(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(n));
}

bool composes(UnicodeForm form) {
    return form == UnicodeForm::nfc || form == UnicodeForm::nfkc;
}

/// Characters below it are in the form and compose with nothing before them.
char32_t first_that_changes(UnicodeForm form) {
    switch (form) {
    case UnicodeForm::nfc:
        return 0x300;
    case UnicodeForm::nfd:
        return 0xC0;
    default:
        return 0xA0;
    }
}

void decompose(char32_t c, UnicodeForm form, CodePoints& out) {
    const bool compatibly = form == UnicodeForm::nfkc || form == UnicodeForm::nfkd;
    const auto options = static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_DECOMPOSE |
                                                        (compatibly ? UTF8PROC_COMPAT : 0));
    utf8proc_int32_t parts[32]; // the longest decomposition has 18
    int last_class = 0;
    const auto n =
        utf8proc_decompose_char(static_cast<utf8proc_int32_t>(c), parts, 32, options, &last_class);
    if (n < 0 || n > 32) {
        out.push_back(static_cast<utf8proc_int32_t>(c));
    } else {
        out.insert(out.end(), parts, parts + n);
    }
}

int combining_class(utf8proc_int32_t c) {
    return utf8proc_get_property(c)->combining_class;
}

/// Marks in a row by their class, those of one class as they were. Sorted here: the library swaps
/// neighbours, which takes hours for a megabyte of marks.
void sort_marks(CodePoints& text) {
    for (auto begin = text.begin(); begin != text.end();) {
        if (combining_class(*begin) == 0) {
            ++begin;
            continue;
        }
        const auto end =
            std::find_if(begin, text.end(), [](auto c) { return combining_class(c) == 0; });
        std::stable_sort(begin, end,
                         [](auto a, auto b) { return combining_class(a) < combining_class(b); });
        begin = end;
    }
}

void flush(CodePoints& text, UnicodeForm form, std::string& out) {
    sort_marks(text);
    auto n = static_cast<utf8proc_ssize_t>(text.size());
    if (composes(form)) {
        n = utf8proc_normalize_utf32(
            text.data(), n, static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
    }
    for (utf8proc_ssize_t i = 0; i < n; ++i) {
        append_code_point(text[static_cast<std::size_t>(i)], out);
    }
    text.clear();
}

} // namespace

bool is_in_form(std::string_view text, UnicodeForm form) {
    const char32_t limit = first_that_changes(form);
    while (!text.empty()) {
        const utf8::Decoded d = utf8::decode(text);
        if (d.valid && d.code_point >= limit) {
            return false;
        }
        text.remove_prefix(d.n_bytes);
    }
    return true;
}

void append_in_form(std::string_view text, UnicodeForm form, std::string& out) {
    CodePoints pending;
    while (!text.empty()) {
        const utf8::Decoded d = utf8::decode(text);
        if (d.valid) {
            decompose(d.code_point, form, pending);
        } else {
            flush(pending, form, out);
            out += text.substr(0, d.n_bytes);
        }
        text.remove_prefix(d.n_bytes);
    }
    flush(pending, form, out);
}

void append_lowercase(std::string_view text, std::string& out) {
    while (!text.empty()) {
        const utf8::Decoded d = utf8::decode(text);
        if (!d.valid) {
            out += text.substr(0, d.n_bytes);
        } else {
            append_code_point(utf8proc_tolower(static_cast<utf8proc_int32_t>(d.code_point)), out);
            if (d.code_point == 0x130) {
                out += "\xCC\x87"; // the one capital whose lower case is two characters
            }
        }
        text.remove_prefix(d.n_bytes);
    }
}

} // namespace sotto::tokenizer
