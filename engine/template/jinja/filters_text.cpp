// SPDX-License-Identifier: Apache-2.0
// Filters that give text.
#include "engine/template/jinja/access.h"
#include "engine/template/jinja/convert.h"
#include "engine/template/jinja/filters.h"
#include "engine/template/jinja/methods.h"
#include "engine/template/jinja/operators.h"
#include "engine/template/jinja/unicode.h"

#include <algorithm>

namespace sotto::jinja {
namespace {

Value no_arguments(std::string_view name, const Args& args, Value result) {
    const Params params(name, args, {});
    return result;
}

Value trim(Render& r, const Value& v, const Args& args) {
    const Params params("trim", args, {"chars"});
    return strip(r, to_string(r, v), params.get(0), Side::both);
}

Value replace_filter(Render& r, const Value& v, const Args& args) {
    const Params params("replace", args, {"old", "new", "count"}, 2);
    const Str s(r, v), old_text(r, params[0]), new_text(r, params[1]);
    const std::int64_t count = params.get(2).is(Kind::none) ? -1 : params.integer(2, -1);
    return replace(r, s.value(), old_text.text(), new_text.text(), count);
}

Value join_filter(Render& r, const Value& v, const Args& args) {
    const Params params("join", args, {"d", "attribute"});
    const Value separator = params.has(0) ? to_string(r, params[0]) : r.trusted("");
    if (params.get(1).is(Kind::none)) {
        return join(r, text_of(separator), v, false);
    }
    std::vector<Value> parts;
    for (const Value& item : Items(r, v)) {
        parts.push_back(follow_path(r, item, params[1]));
    }
    return join(r, text_of(separator), r.list(std::move(parts)), false);
}

/// jinja2's title: words begin after blanks, hyphens and opening brackets alone.
Value title(Render& r, const Value& v, const Args& args) {
    const Params params("title", args, {});
    const Str s(r, v);
    r.meter.scanned(s.view().size() * 4);
    bool starts = true;
    Text out;
    s.text().each_run([&](std::string_view bytes, Origin origin) {
        std::string part;
        while (!bytes.empty()) {
            const auto c = next_char(bytes);
            const bool between = is_space(c.code_point) ||
                                 (c.code_point < 0x80 &&
                                  std::string_view("-({[<").find(static_cast<char>(c.code_point)) !=
                                      std::string_view::npos);
            if (!c.valid) {
                part += bytes.substr(0, c.n_bytes);
            } else if (starts) {
                append_upper(part, c.code_point);
            } else {
                append_lower(part, c.code_point);
            }
            starts = between;
            bytes.remove_prefix(c.n_bytes);
        }
        out.append(part, origin);
    });
    return r.string(std::move(out));
}

Value indent(Render& r, const Value& v, const Args& args) {
    const Params params("indent", args, {"width", "first", "blank"});
    const bool blank = params.truth(2, false);
    Text by;
    if (params.get(0).is(Kind::string)) {
        by = text_of(params[0]);
    } else {
        const std::int64_t width = std::clamp<std::int64_t>(params.integer(0, 4), 0, 1 << 20);
        by = Text(std::string(static_cast<std::size_t>(width), ' '), Origin::trusted);
    }
    if (!v.is(Kind::string)) {
        fail("indent needs a string, not a " + std::string(type_name(v)));
    }
    Text whole = text_of(v);
    whole.append("\n", Origin::trusted); // Python's splitlines would lose an empty last line
    Text out;
    bool first = true;
    for (const Value& line : split_lines(r, r.string(std::move(whole)), false)) {
        if (!first) {
            out.append("\n", Origin::trusted);
        }
        if (first ? params.truth(1, false) : blank || !view_of(line).empty()) {
            r.meter.length(out.size() + by.size());
            r.meter.copied(by.size());
            out.append(by);
        }
        first = false;
        out.append(text_of(line));
    }
    return r.string(std::move(out));
}

Value escape(Render& r, const Value& v, const Args& args) {
    const Params params("escape", args, {});
    if (v.is(Kind::string) && v.as<StringData>().markup) {
        return v;
    }
    return markup(r, escaped(r, Str(r, v).text()));
}

Value safe(Render& r, const Value& v, const Args& args) {
    const Params params("safe", args, {});
    return markup(r, Str(r, v).text());
}

Value format_filter(Render& r, const Value& v, const Args& args) {
    if (!args.positional.empty() && !args.keywords.empty()) {
        fail("format takes arguments with names or without, not both");
    }
    const Str s(r, v);
    if (args.keywords.empty()) {
        return percent_format(r, s.text(), r.tuple(args.positional));
    }
    std::vector<DictData::Entry> entries;
    for (const auto& [name, value] : args.keywords) {
        entries.emplace_back(Value::trusted(name), value);
    }
    return percent_format(r, s.text(), r.dict(std::move(entries)));
}

Value word_count(Render& r, const Value& v, const Args& args) {
    const Params params("wordcount", args, {});
    const Str s(r, v);
    r.meter.scanned(s.view().size() * 4);
    std::int64_t n = 0;
    bool inside = false;
    for (std::string_view rest = s.view(); !rest.empty();) {
        const auto c = next_char(rest);
        const bool word = c.code_point == '_' || is_alpha(c.code_point) || is_digit(c.code_point);
        n += word && !inside ? 1 : 0;
        inside = word;
        rest.remove_prefix(c.n_bytes);
    }
    return Value::integer(n);
}

Value center(Render& r, const Value& v, const Args& args) {
    const Params params("center", args, {"width"});
    Args width;
    width.positional.push_back(Value::integer(params.integer(0, 80)));
    const Value s = to_string(r, v);
    return find_method(s, "center")->run(r, s, width);
}

Value forced_escape(Render& r, const Value& v, const Args& args) {
    const Params params("forceescape", args, {});
    return markup(r, escaped(r, Str(r, v).text()));
}

constexpr FilterEntry kTextFilters[] = {
    {"trim", trim},
    {"replace", replace_filter},
    {"join", join_filter},
    {"upper", [](Render& r, const Value& v,
                 const Args& a) { return no_arguments("upper", a, upper(r, to_string(r, v))); }},
    {"lower", [](Render& r, const Value& v,
                 const Args& a) { return no_arguments("lower", a, lower(r, to_string(r, v))); }},
    {"capitalize",
     [](Render& r, const Value& v, const Args& a) {
         return no_arguments("capitalize", a, capitalize(r, to_string(r, v)));
     }},
    {"title", title},
    {"string", [](Render& r, const Value& v,
                  const Args& a) { return no_arguments("string", a, to_string(r, v)); }},
    {"indent", indent},
    {"e", escape},
    {"escape", escape},
    {"forceescape", forced_escape},
    {"safe", safe},
    {"format", format_filter},
    {"wordcount", word_count},
    {"center", center},
    {"tojson", filter_tojson},
};

} // namespace

std::span<const FilterEntry> text_filters() {
    return kTextFilters;
}

} // namespace sotto::jinja
