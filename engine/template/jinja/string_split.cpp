// SPDX-License-Identifier: Apache-2.0
// Methods of str that cut it into pieces or put pieces together.
#include "engine/template/jinja/convert.h"
#include "engine/template/jinja/finder.h"
#include "engine/template/jinja/methods.h"
#include "engine/template/jinja/unicode.h"

#include <algorithm>

namespace sotto::jinja {
namespace {

/// Collects pieces of one text.
class Pieces {
  public:
    Pieces(Render& r, const Value& s) : r_(r), text_(text_of(s)) { r.meter.scanned(text_.size()); }
    [[nodiscard]] std::string_view view() const { return text_.view(); }
    void add(std::size_t begin, std::size_t end) {
        pieces.push_back(r_.string(text_.slice(begin, end)));
    }
    std::vector<Value> pieces;

  private:
    Render& r_;
    const Text& text_;
};

void split_at_space(Pieces& out, std::uint64_t limit) {
    const std::string_view text = out.view();
    std::size_t at = leading_space(text);
    while (at < text.size()) {
        if (limit == 0) {
            out.add(at, text.size());
            return;
        }
        std::size_t end = at;
        while (end < text.size()) {
            const auto c = next_char(text.substr(end));
            if (c.valid && is_space(c.code_point)) {
                break;
            }
            end += c.n_bytes;
        }
        out.add(at, end);
        --limit;
        at = end + leading_space(text.substr(end));
    }
}

/// The pieces come out last first.
void rsplit_at_space(Pieces& out, std::uint64_t limit) {
    const std::string_view text = out.view();
    std::size_t end = text.size() - trailing_space(text);
    while (end > 0) {
        if (limit == 0) {
            out.add(0, end);
            return;
        }
        std::size_t begin = end;
        while (begin > 0 && trailing_space(text.substr(0, begin)) == 0) {
            --begin;
            while (begin > 0 && (text[begin] & 0xC0) == 0x80) {
                --begin;
            }
        }
        out.add(begin, end);
        --limit;
        end = begin - trailing_space(text.substr(0, begin));
    }
}

void split_at(Pieces& out, std::string_view separator, std::uint64_t limit) {
    const Finder finder(separator);
    std::size_t at = 0;
    for (; limit > 0; --limit) {
        const std::size_t found = finder.find(out.view(), at);
        if (found == Finder::kNone) {
            break;
        }
        out.add(at, found);
        at = found + separator.size();
    }
    out.add(at, out.view().size());
}

void rsplit_at(Pieces& out, std::string_view separator, std::uint64_t limit) {
    const Finder finder(separator, true);
    std::size_t end = out.view().size();
    for (; limit > 0; --limit) {
        const std::size_t found = finder.find_last(out.view().substr(0, end));
        if (found == Finder::kNone) {
            break;
        }
        out.add(found + separator.size(), end);
        end = found;
    }
    out.add(0, end);
}

Value split(Render& r, const Value& s, const Args& args, bool from_right) {
    const Params params("split", args, {"sep", "maxsplit"});
    const std::int64_t n = params.integer(1, -1);
    const auto limit = n < 0 ? UINT64_MAX : static_cast<std::uint64_t>(n);
    Pieces out(r, s);
    if (params.get(0).is(Kind::none)) {
        from_right ? rsplit_at_space(out, limit) : split_at_space(out, limit);
    } else {
        const std::string_view separator = params.string(0, {});
        if (separator.empty()) {
            fail("an empty separator");
        }
        from_right ? rsplit_at(out, separator, limit) : split_at(out, separator, limit);
    }
    if (from_right) {
        std::reverse(out.pieces.begin(), out.pieces.end());
    }
    return r.list(std::move(out.pieces));
}

Value partition(Render& r, const Value& s, const Args& args, bool from_right) {
    const Params params("partition", args, {"sep"}, 1);
    const std::string_view separator = params.string(0, {});
    if (separator.empty()) {
        fail("an empty separator");
    }
    Pieces out(r, s);
    const std::string_view text = out.view();
    const Finder finder(separator, from_right);
    const std::size_t at = from_right ? finder.find_last(text) : finder.find(text);
    if (at != Finder::kNone) {
        out.add(0, at);
        out.add(at, at + separator.size());
        out.add(at + separator.size(), text.size());
        return r.tuple(std::move(out.pieces));
    }
    return r.tuple(from_right ? std::vector{r.trusted(""), r.trusted(""), s}
                              : std::vector{s, r.trusted(""), r.trusted("")});
}

bool breaks_line(char32_t c) {
    return (c >= 0x0A && c <= 0x0D) || (c >= 0x1C && c <= 0x1E) || c == 0x85 || c == 0x2028 ||
           c == 0x2029;
}

Value split_lines_method(Render& r, const Value& s, const Args& args) {
    const Params params("splitlines", args, {"keepends"});
    return r.list(split_lines(r, s, params.truth(0, false)));
}

Value join_method(Render& r, const Value& s, const Args& args) {
    const Params params("join", args, {"iterable"}, 1);
    return join(r, text_of(s), params[0], true);
}

constexpr MethodEntry kSplitMethods[] = {
    {"split", [](Render& r, const Value& s, const Args& a) { return split(r, s, a, false); }},
    {"rsplit", [](Render& r, const Value& s, const Args& a) { return split(r, s, a, true); }},
    {"partition",
     [](Render& r, const Value& s, const Args& a) { return partition(r, s, a, false); }},
    {"rpartition",
     [](Render& r, const Value& s, const Args& a) { return partition(r, s, a, true); }},
    {"splitlines", split_lines_method},
    {"join", join_method},
    {"format", brace_format},
};

} // namespace

std::vector<Value> split_lines(Render& r, const Value& s, bool keep_ends) {
    Pieces out(r, s);
    const std::string_view text = out.view();
    for (std::size_t begin = 0, at = 0; at < text.size(); begin = at) {
        auto c = next_char(text.substr(at));
        while (!(c.valid && breaks_line(c.code_point)) && at + c.n_bytes < text.size()) {
            at += c.n_bytes;
            c = next_char(text.substr(at));
        }
        const bool broken = c.valid && breaks_line(c.code_point);
        const std::size_t end = broken ? at : at + c.n_bytes;
        at += c.n_bytes;
        at += broken && c.code_point == '\r' && at < text.size() && text[at] == '\n' ? 1 : 0;
        out.add(begin, keep_ends ? at : end);
    }
    return std::move(out.pieces);
}

Value join(Render& r, const Text& separator, const Value& items, bool strings_only) {
    Text out;
    bool first = true;
    for (const Value& item : Items(r, items)) {
        if (!first) {
            r.meter.length(out.size() + separator.size());
            r.meter.copied(separator.size());
            out.append(separator);
        }
        first = false;
        if (strings_only && !item.is(Kind::string)) {
            fail("join needs strings, not a " + std::string(type_name(item)));
        }
        append_str(r, out, item);
    }
    return r.string(std::move(out));
}

std::span<const MethodEntry> string_split_methods() {
    return kSplitMethods;
}

} // namespace sotto::jinja
