// SPDX-License-Identifier: Apache-2.0
// Methods of str that look at characters one by one.
#include "engine/template/jinja/convert.h"
#include "engine/template/jinja/methods.h"
#include "engine/template/jinja/unicode.h"

namespace sotto::jinja {
namespace {

/// Each character through f(out, character), every run keeping its origin.
template <class F>
Value mapped(Render& r, const Value& s, F f) {
    r.meter.scanned(view_of(s).size() * 4);
    Text out;
    text_of(s).each_run([&](std::string_view bytes, Origin origin) {
        std::string part;
        while (!bytes.empty()) {
            const auto c = next_char(bytes);
            if (c.valid) {
                f(part, c.code_point);
            } else {
                part += bytes.substr(0, c.n_bytes);
            }
            bytes.remove_prefix(c.n_bytes);
        }
        r.meter.length(out.size() + part.size());
        out.append(part, origin);
    });
    return r.string(std::move(out));
}

Value title(Render& r, const Value& s, const Args&) {
    bool inside = false;
    return mapped(r, s, [&inside](std::string& out, char32_t c) {
        inside ? append_lower(out, c) : append_upper(out, c);
        inside = is_upper(c) || is_lower(c);
    });
}

Value swapcase(Render& r, const Value& s, const Args&) {
    return mapped(r, s, [](std::string& out, char32_t c) {
        is_upper(c) ? append_lower(out, c) : append_upper(out, c);
    });
}

/// Not empty, and f holds for every character.
template <class F>
Value all(Render& r, const Value& s, F f) {
    std::string_view rest = view_of(s);
    r.meter.scanned(rest.size() * 2);
    bool holds = !rest.empty();
    while (holds && !rest.empty()) {
        const auto c = next_char(rest);
        holds = c.valid && f(c.code_point);
        rest.remove_prefix(c.n_bytes);
    }
    return Value::boolean(holds);
}

/// Some character has case, and every one that has it has the wanted one.
Value all_cased(Render& r, const Value& s, bool wanted_upper) {
    bool any = false;
    const Value all_right = all(r, s, [&](char32_t c) {
        const bool right = wanted_upper ? is_upper(c) : is_lower(c);
        any = any || right;
        return right || !(is_upper(c) || is_lower(c));
    });
    return Value::boolean(all_right.boolean() && any);
}

Value is_title(Render& r, const Value& s, const Args&) {
    bool inside = false, any = false;
    const Value right = all(r, s, [&](char32_t c) {
        const bool up = is_upper(c), low = is_lower(c);
        const bool fits = (!up || !inside) && (!low || inside);
        inside = up || low;
        any = any || inside;
        return fits;
    });
    return Value::boolean(right.boolean() && any);
}

Value is_identifier(Render& r, const Value& s, const Args&) {
    bool first = true;
    return all(r, s, [&first](char32_t c) {
        const bool was_first = std::exchange(first, false);
        return c == '_' || is_alpha(c) || (!was_first && is_digit(c));
    });
}

constexpr MethodEntry kCaseMethods[] = {
    {"upper", [](Render& r, const Value& s, const Args&) { return upper(r, s); }},
    {"lower", [](Render& r, const Value& s, const Args&) { return lower(r, s); }},
    {"casefold", [](Render& r, const Value& s, const Args&) { return lower(r, s); }},
    {"capitalize", [](Render& r, const Value& s, const Args&) { return capitalize(r, s); }},
    {"title", title},
    {"swapcase", swapcase},
    {"isdigit", [](Render& r, const Value& s, const Args&) { return all(r, s, is_digit); }},
    {"isdecimal", [](Render& r, const Value& s, const Args&) { return all(r, s, is_digit); }},
    {"isnumeric", [](Render& r, const Value& s, const Args&) { return all(r, s, is_digit); }},
    {"isalpha", [](Render& r, const Value& s, const Args&) { return all(r, s, is_alpha); }},
    {"isalnum",
     [](Render& r, const Value& s, const Args&) {
         return all(r, s, [](char32_t c) { return is_alpha(c) || is_digit(c); });
     }},
    {"isspace", [](Render& r, const Value& s, const Args&) { return all(r, s, is_space); }},
    {"isascii",
     [](Render& r, const Value& s, const Args&) {
         return view_of(s).empty() ? Value::boolean(true)
                                   : all(r, s, [](char32_t c) { return c < 0x80; });
     }},
    {"isprintable",
     [](Render& r, const Value& s, const Args&) {
         return view_of(s).empty() ? Value::boolean(true) : all(r, s, is_printable);
     }},
    {"isupper", [](Render& r, const Value& s, const Args&) { return all_cased(r, s, true); }},
    {"islower", [](Render& r, const Value& s, const Args&) { return all_cased(r, s, false); }},
    {"istitle", is_title},
    {"isidentifier", is_identifier},
};

} // namespace

Value upper(Render& r, const Value& s) {
    return mapped(r, s, append_upper);
}
Value lower(Render& r, const Value& s) {
    return mapped(r, s, append_lower);
}
Value capitalize(Render& r, const Value& s) {
    bool first = true;
    return mapped(r, s, [&first](std::string& out, char32_t c) {
        std::exchange(first, false) ? append_upper(out, c) : append_lower(out, c);
    });
}

std::span<const MethodEntry> string_case_methods() {
    return kCaseMethods;
}

} // namespace sotto::jinja
