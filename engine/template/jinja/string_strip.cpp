// SPDX-License-Identifier: Apache-2.0
// Methods of str that take something away at the ends or fill up to a width.
#include "engine/template/jinja/convert.h"
#include "engine/template/jinja/methods.h"
#include "engine/template/jinja/unicode.h"

#include <algorithm>

namespace sotto::jinja {
namespace {

/// The characters of a text as pieces, sorted.
std::vector<std::string_view> pieces(std::string_view text) {
    std::vector<std::string_view> found;
    while (!text.empty()) {
        const std::size_t n = next_char(text).n_bytes;
        found.push_back(text.substr(0, n));
        text.remove_prefix(n);
    }
    std::sort(found.begin(), found.end());
    return found;
}

std::size_t leading(std::string_view text, const std::vector<std::string_view>& chars) {
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t n = next_char(text.substr(at)).n_bytes;
        if (!std::binary_search(chars.begin(), chars.end(), text.substr(at, n))) {
            break;
        }
        at += n;
    }
    return at;
}

std::size_t trailing(std::string_view text, const std::vector<std::string_view>& chars) {
    std::size_t end = text.size();
    while (end > 0) {
        std::size_t begin = end - 1;
        while (begin > 0 && end - begin < 4 && (text[begin] & 0xC0) == 0x80) {
            --begin;
        }
        if (!std::binary_search(chars.begin(), chars.end(), text.substr(begin, end - begin))) {
            break;
        }
        end = begin;
    }
    return text.size() - end;
}

Value strip_method(Render& r, const Value& s, const Args& args, Side side) {
    const Params params("strip", args, {"chars"});
    return strip(r, s, params.get(0), side);
}

Value remove_affix(Render& r, const Value& s, const Args& args, bool prefix) {
    const Params params("removeprefix", args, {"affix"}, 1);
    const std::string_view affix = params.string(0, {}), text = view_of(s);
    if (affix.empty() || !(prefix ? text.starts_with(affix) : text.ends_with(affix))) {
        return s;
    }
    return r.string(prefix ? text_of(s).slice(affix.size(), text.size())
                           : text_of(s).slice(0, text.size() - affix.size()));
}

std::string filling(std::string_view fill, std::int64_t times) {
    std::string out;
    for (std::int64_t i = 0; i < times; ++i) {
        out += fill;
    }
    return out;
}

/// With `left` and `right` times the filling around it.
Value padded(Render& r, const Value& s, std::string_view fill, Origin origin, std::int64_t left,
             std::int64_t right) {
    const auto n = static_cast<std::size_t>(left) + static_cast<std::size_t>(right);
    r.meter.length(std::max(n, n * fill.size()));
    r.meter.scanned(n * fill.size());
    Text out(filling(fill, left), origin);
    out.append(text_of(s));
    out.append(filling(fill, right), origin);
    return r.string(std::move(out));
}

Value justify(Render& r, const Value& s, const Args& args, Side side) {
    const Params params("justify", args, {"width", "fillchar"}, 1);
    const Value fill = params.has(1) ? params[1] : r.trusted(" ");
    r.meter.scanned(view_of(s).size());
    const std::int64_t n = length(s);
    const std::int64_t width = std::min<std::int64_t>(params.integer(0, 0), 1 << 30);
    if (!fill.is(Kind::string) || length(fill) != 1) {
        fail("the filling must be one character");
    }
    const std::int64_t missing = std::max<std::int64_t>(width - n, 0);
    const std::int64_t left = side == Side::left    ? 0
                              : side == Side::right ? missing
                                                    : missing / 2 + (missing & width & 1);
    Origin origin = Origin::trusted; // of its only character
    text_of(fill).each_run([&origin](std::string_view, Origin o) { origin = o; });
    return padded(r, s, view_of(fill), origin, left, missing - left);
}

Value zfill(Render& r, const Value& s, const Args& args) {
    const Params params("zfill", args, {"width"}, 1);
    const std::int64_t width = std::min<std::int64_t>(params.integer(0, 0), 1 << 30);
    const std::string_view text = view_of(s);
    r.meter.scanned(text.size() * 2);
    const std::size_t sign = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
    const std::int64_t missing = std::max<std::int64_t>(width - length(s), 0);
    r.meter.length(static_cast<std::size_t>(missing));
    Text out = text_of(s).slice(0, sign);
    out.append(std::string(static_cast<std::size_t>(missing), '0'), Origin::trusted);
    out.append(text_of(s), sign, text.size());
    return r.string(std::move(out));
}

constexpr MethodEntry kStripMethods[] = {
    {"strip",
     [](Render& r, const Value& s, const Args& a) { return strip_method(r, s, a, Side::both); }},
    {"lstrip",
     [](Render& r, const Value& s, const Args& a) { return strip_method(r, s, a, Side::left); }},
    {"rstrip",
     [](Render& r, const Value& s, const Args& a) { return strip_method(r, s, a, Side::right); }},
    {"removeprefix",
     [](Render& r, const Value& s, const Args& a) { return remove_affix(r, s, a, true); }},
    {"removesuffix",
     [](Render& r, const Value& s, const Args& a) { return remove_affix(r, s, a, false); }},
    {"ljust",
     [](Render& r, const Value& s, const Args& a) { return justify(r, s, a, Side::left); }},
    {"rjust",
     [](Render& r, const Value& s, const Args& a) { return justify(r, s, a, Side::right); }},
    {"center",
     [](Render& r, const Value& s, const Args& a) { return justify(r, s, a, Side::both); }},
    {"zfill", zfill},
};

} // namespace

Value strip(Render& r, const Value& s, const Value& chars, Side side) {
    const Text& text = text_of(s);
    r.meter.scanned(text.size());
    std::size_t begin = 0, end = text.size();
    if (chars.is(Kind::none)) {
        begin = side == Side::right ? 0 : leading_space(text.view());
        end -= side == Side::left ? 0 : trailing_space(text.view().substr(begin));
    } else {
        if (!chars.is(Kind::string)) {
            fail("strip needs a string, not a " + std::string(type_name(chars)));
        }
        r.meter.scanned(view_of(chars).size() * 8);
        const auto set = pieces(view_of(chars));
        begin = side == Side::right ? 0 : leading(text.view(), set);
        end -= side == Side::left ? 0 : trailing(text.view().substr(begin), set);
        r.meter.scanned((text.size() - (end - begin)) * 4);
    }
    if (begin == 0 && end == text.size()) {
        return s;
    }
    return r.string(text.slice(begin, end));
}

std::span<const MethodEntry> string_strip_methods() {
    return kStripMethods;
}

} // namespace sotto::jinja
