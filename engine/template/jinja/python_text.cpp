// SPDX-License-Identifier: Apache-2.0
// str() and repr() of values.
#include "engine/template/jinja/ast.h"
#include "engine/template/jinja/convert.h"
#include "engine/template/jinja/unicode.h"

#include <charconv>
#include <cmath>
#include <cstdio>

namespace sotto::jinja {
namespace {

/// One character as it stands in repr(): "\n", "\x07", "\u200b".
void append_escaped(std::string& out, std::string_view bytes, const utf8::Decoded& c, char quote) {
    const char32_t code = c.code_point;
    if (c.valid && (code == '\\' || code == static_cast<char32_t>(quote))) {
        out += '\\';
    } else if (c.valid && (code == '\n' || code == '\r' || code == '\t')) {
        out += code == '\n' ? "\\n" : code == '\r' ? "\\r" : "\\t";
        return;
    } else if (c.valid && !is_printable(code)) {
        char escape[12];
        std::snprintf(escape, sizeof escape,
                      code < 0x100     ? "\\x%02x"
                      : code < 0x10000 ? "\\u%04x"
                                       : "\\U%08x",
                      static_cast<unsigned>(code));
        out += escape;
        return;
    }
    out += bytes.substr(0, c.n_bytes);
}

void append_quoted(Render& r, Text& out, const Text& text) {
    const bool has_single = text.view().find('\'') != std::string_view::npos;
    const bool has_double = text.view().find('"') != std::string_view::npos;
    const char quote = has_single && !has_double ? '"' : '\'';
    out.append(quote, Origin::trusted);
    text.each_run([&](std::string_view bytes, Origin origin) {
        std::string escaped;
        while (!bytes.empty()) {
            const auto c = next_char(bytes);
            append_escaped(escaped, bytes, c, quote);
            bytes.remove_prefix(c.n_bytes);
        }
        r.meter.length(out.size() + escaped.size());
        out.append(escaped, origin);
    });
    out.append(quote, Origin::trusted);
}

void append_items(Render& r, Text& out, const std::vector<Value>& items) {
    for (std::size_t i = 0; i < items.size(); ++i) {
        out.append(i > 0 ? ", " : "", Origin::trusted);
        append_repr(r, out, items[i]);
    }
}

std::string range_text(const std::array<std::int64_t, 3>& range) {
    std::string text = "range(" + std::to_string(range[0]) + ", " + std::to_string(range[1]);
    return text + (range[2] != 1 ? ", " + std::to_string(range[2]) + ")" : ")");
}

void append_list(Render& r, Text& out, const ListData& list) {
    static constexpr std::string_view kOpen[] = {
        "[", "(", "(", "", "dict_keys([", "dict_values([", "dict_items(["};
    static constexpr std::string_view kClose[] = {"]", ")", ")", "", "])", "])", "])"};
    if (list.flavor == Flavor::range) {
        out.append(range_text(list.range), Origin::trusted);
        return;
    }
    const auto flavor = static_cast<std::size_t>(list.flavor);
    out.append(kOpen[flavor], Origin::trusted);
    append_items(r, out, list.items);
    const bool lone = list.flavor == Flavor::tuple && list.items.size() == 1;
    out.append(lone ? ",)" : kClose[flavor], Origin::trusted);
}

void append_dict(Render& r, Text& out, const DictData& dict) {
    out.append("{", Origin::trusted);
    bool first = true;
    for (const auto& [key, value] : dict.entries) {
        out.append(first ? "" : ", ", Origin::trusted);
        first = false;
        append_repr(r, out, key);
        out.append(": ", Origin::trusted);
        append_repr(r, out, value);
    }
    out.append("}", Origin::trusted);
}

void append_name_space(Render& r, Text& out, const NamespaceData& space) {
    const Level level(r.meter);
    out.append("<Namespace {", Origin::trusted);
    bool first = true;
    for (const auto& [name, value] : space.entries) {
        out.append((first ? "'" : ", '") + name + "': ", Origin::trusted);
        first = false;
        append_repr(r, out, value);
    }
    out.append("}>", Origin::trusted);
}

} // namespace

std::string float_text(double d) {
    if (!std::isfinite(d)) {
        return std::isnan(d) ? "nan" : d > 0 ? "inf" : "-inf";
    }
    char buffer[40];
    const auto end =
        std::to_chars(buffer, buffer + sizeof buffer, d, std::chars_format::scientific);
    const std::string_view text(buffer, static_cast<std::size_t>(end.ptr - buffer));
    const std::size_t e = text.find('e');
    int exponent = 0;
    std::from_chars(text.data() + e + (text[e + 1] == '+' ? 2 : 1), end.ptr, exponent);
    if (exponent < -4 || exponent >= 16) {
        return std::string(text);
    }
    const auto fixed = std::to_chars(buffer, buffer + sizeof buffer, d, std::chars_format::fixed);
    std::string plain(buffer, fixed.ptr);
    return plain.find('.') == std::string::npos ? plain + ".0" : plain;
}

void append_str(Render& r, Text& out, const Value& v) {
    if (v.is(Kind::undefined)) {
        return;
    }
    if (v.is(Kind::string)) {
        r.meter.copied(view_of(v).size());
        r.meter.length(out.size() + view_of(v).size());
        out.append(text_of(v));
        return;
    }
    append_repr(r, out, v);
}

void append_repr(Render& r, Text& out, const Value& v) {
    r.meter.step();
    r.meter.length(out.size());
    switch (v.kind()) {
    case Kind::undefined:
        return out.append("Undefined", Origin::trusted);
    case Kind::none:
        return out.append("None", Origin::trusted);
    case Kind::boolean:
        return out.append(v.boolean() ? "True" : "False", Origin::trusted);
    case Kind::integer:
        return out.append(std::to_string(v.integer()), Origin::trusted);
    case Kind::big:
        return out.append(view_of(v), Origin::trusted);
    case Kind::number:
        return out.append(float_text(v.number()), Origin::trusted);
    case Kind::string:
        r.meter.scanned(view_of(v).size());
        return append_quoted(r, out, text_of(v));
    case Kind::list:
        return append_list(r, out, v.as<ListData>());
    case Kind::dict:
        return append_dict(r, out, v.as<DictData>());
    case Kind::name_space:
        return append_name_space(r, out, v.as<NamespaceData>());
    case Kind::macro:
        return out.append("<Macro '" + v.as<MacroData>().code.name + "'>", Origin::trusted);
    default:
        return out.append("<" + std::string(type_name(v)) + ">", Origin::trusted);
    }
}

} // namespace sotto::jinja
