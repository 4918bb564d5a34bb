// SPDX-License-Identifier: Apache-2.0
// Methods of str that look for something in it. Positions are characters, as in Python.
#include "engine/template/jinja/convert.h"
#include "engine/template/jinja/finder.h"
#include "engine/template/jinja/methods.h"
#include "engine/template/jinja/unicode.h"

#include <algorithm>

namespace sotto::jinja {
namespace {

/// The bytes [begin, end) that optional start and stop characters mean; begin > end: none.
struct Window {
    std::size_t begin, end;
};
Window window(Render& r, const Value& s, const Params& params, std::size_t first) {
    const std::string_view text = view_of(s);
    r.meter.scanned(text.size());
    if (params.get(first).is(Kind::none) && params.get(first + 1).is(Kind::none)) {
        return {0, text.size()};
    }
    const auto n = static_cast<std::int64_t>(n_chars(text));
    const auto at = [&](std::size_t i, std::int64_t otherwise) {
        std::int64_t c = params.get(i).is(Kind::none) ? otherwise : params.integer(i, otherwise);
        c = c < 0 ? std::max<std::int64_t>(c + n, 0) : c;
        return c > n ? text.size() + 1 : offset_of(text, static_cast<std::size_t>(c));
    };
    return {at(first, 0), std::min(at(first + 1, n), text.size())};
}

Value found_at(std::string_view text, std::size_t at) {
    return Value::integer(
        at == Finder::kNone ? -1 : static_cast<std::int64_t>(n_chars(text.substr(0, at))));
}

Value find(Render& r, const Value& s, const Args& args, bool last, bool must) {
    const Params params("find", args, {"sub", "start", "end"}, 1);
    const std::string_view sub = params.string(0, {}), text = view_of(s);
    const Window w = window(r, s, params, 1);
    std::size_t at = Finder::kNone;
    if (w.begin <= w.end) {
        const std::string_view part = text.substr(w.begin, w.end - w.begin);
        const Finder finder(sub, last);
        at = last ? finder.find_last(part) : finder.find(part);
    }
    if (at == Finder::kNone && must) {
        fail("substring not found");
    }
    return found_at(text, at == Finder::kNone ? Finder::kNone : at + w.begin);
}

Value count(Render& r, const Value& s, const Args& args) {
    const Params params("count", args, {"sub", "start", "end"}, 1);
    const std::string_view sub = params.string(0, {});
    const Window w = window(r, s, params, 1);
    if (w.begin > w.end) {
        return Value::integer(0);
    }
    const std::string_view part = view_of(s).substr(w.begin, w.end - w.begin);
    if (sub.empty()) {
        return Value::integer(static_cast<std::int64_t>(n_chars(part)) + 1);
    }
    std::int64_t n = 0;
    const Finder finder(sub);
    for (std::size_t at = finder.find(part); at != Finder::kNone;
         at = finder.find(part, at + sub.size())) {
        ++n;
    }
    r.meter.step(static_cast<std::uint64_t>(n) / 2);
    return Value::integer(n);
}

Value has_affix(Render& r, const Value& s, const Args& args, bool prefix) {
    const Params params(prefix ? "startswith" : "endswith", args, {"affix", "start", "end"}, 1);
    const Window w = window(r, s, params, 1);
    const auto has = [&](const Value& affix) {
        if (!affix.is(Kind::string)) {
            fail(std::string(prefix ? "startswith" : "endswith") +
                 " needs a string or a tuple of strings, not a " + std::string(type_name(affix)));
        }
        if (w.begin > w.end) {
            return false;
        }
        const std::string_view part = view_of(s).substr(w.begin, w.end - w.begin);
        return prefix ? part.starts_with(view_of(affix)) : part.ends_with(view_of(affix));
    };
    if (is_tuple(params[0])) {
        const auto& affixes = items_in(params[0]);
        r.meter.step(affixes.size());
        return Value::boolean(std::any_of(affixes.begin(), affixes.end(), has));
    }
    return Value::boolean(has(params[0]));
}

Value replace_method(Render& r, const Value& s, const Args& args) {
    const Params params("replace", args, {"old", "new", "count"}, 2);
    return replace(r, s, params.text(0), params.text(1), params.integer(2, -1));
}

constexpr MethodEntry kSearchMethods[] = {
    {"find", [](Render& r, const Value& s, const Args& a) { return find(r, s, a, false, false); }},
    {"rfind", [](Render& r, const Value& s, const Args& a) { return find(r, s, a, true, false); }},
    {"index", [](Render& r, const Value& s, const Args& a) { return find(r, s, a, false, true); }},
    {"rindex", [](Render& r, const Value& s, const Args& a) { return find(r, s, a, true, true); }},
    {"count", count},
    {"startswith",
     [](Render& r, const Value& s, const Args& a) { return has_affix(r, s, a, true); }},
    {"endswith",
     [](Render& r, const Value& s, const Args& a) { return has_affix(r, s, a, false); }},
    {"replace", replace_method},
};

/// Between all characters, as Python replaces the empty string.
Text interleaved(Render& r, const Text& text, const Text& new_text, std::uint64_t count) {
    Text out;
    std::size_t at = 0;
    for (; count > 0; --count) {
        r.meter.length(out.size() + new_text.size());
        r.meter.copied(new_text.size());
        out.append(new_text);
        if (at == text.size()) {
            return out;
        }
        const std::size_t n = next_char(text.view().substr(at)).n_bytes;
        out.append(text, at, at + n);
        at += n;
    }
    out.append(text, at, text.size());
    return out;
}

} // namespace

Value replace(Render& r, const Value& s, const Text& old_text, const Text& new_text,
              std::int64_t count) {
    const Text& text = text_of(s);
    r.meter.scanned(text.size());
    auto left = count < 0 ? UINT64_MAX : static_cast<std::uint64_t>(count);
    if (old_text.empty()) {
        return r.string(interleaved(r, text, new_text, left));
    }
    const Finder finder(old_text.view());
    Text out;
    std::size_t at = 0;
    for (; left > 0; --left) {
        const std::size_t found = finder.find(text.view(), at);
        if (found == Finder::kNone) {
            break;
        }
        r.meter.length(out.size() + found - at + new_text.size());
        r.meter.copied(new_text.size());
        out.append(text, at, found);
        out.append(new_text);
        at = found + old_text.size();
    }
    if (at == 0) {
        return r.string(text); // str(s): a string without the mark of markup
    }
    out.append(text, at, text.size());
    return r.string(std::move(out));
}

std::span<const MethodEntry> string_search_methods() {
    return kSearchMethods;
}

} // namespace sotto::jinja
