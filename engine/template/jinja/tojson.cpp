// SPDX-License-Identifier: Apache-2.0
// The filter tojson as transformers sets it up: Python's json.dumps(x, ensure_ascii=False,
// indent=None, separators=None, sort_keys=False).
#include "engine/template/jinja/convert.h"
#include "engine/template/jinja/filters.h"
#include "engine/template/jinja/operators.h"
#include "engine/template/jinja/unicode.h"

#include <algorithm>
#include <cmath>

namespace sotto::jinja {
namespace {

struct Style {
    bool ensure_ascii = false, sort_keys = false, indented = false;
    Text indent, item_separator, key_separator;
};

class Writer {
  public:
    Writer(Render& r, const Style& style) : r_(r), style_(style) {}

    void value(const Value& v) {
        r_.meter.step();
        r_.meter.length(out_.size());
        switch (v.kind()) {
        case Kind::none:
            return plain("null");
        case Kind::boolean:
            return plain(v.boolean() ? "true" : "false");
        case Kind::string:
            return string(text_of(v));
        case Kind::integer:
        case Kind::big:
            return append_repr(r_, out_, v);
        case Kind::number:
            return number(v.number());
        case Kind::dict:
            return dict(v.as<DictData>());
        case Kind::list:
            if (v.as<ListData>().flavor < Flavor::range) {
                return list(items_in(v));
            }
            [[fallthrough]];
        default:
            fail("a " + std::string(type_name(v)) + " cannot be written as JSON");
        }
    }
    Text release() { return std::move(out_); }

  private:
    void plain(std::string_view text) { out_.append(text, Origin::trusted); }

    void number(double d) {
        plain(std::isnan(d)   ? "NaN"
              : std::isinf(d) ? (d > 0 ? "Infinity" : "-Infinity")
                              : float_text(d));
    }

    void string(const Text& text) {
        r_.meter.scanned(text.size() * 4);
        plain("\"");
        text.each_run([this](std::string_view bytes, Origin origin) {
            out_.append(escaped_bytes(bytes), origin);
            r_.meter.length(out_.size());
        });
        plain("\"");
    }

    [[nodiscard]] std::string escaped_bytes(std::string_view bytes) const {
        std::string out;
        while (!bytes.empty()) {
            const auto c = next_char(bytes);
            const auto code = static_cast<unsigned>(c.code_point);
            if (code == '"' || code == '\\') {
                out += '\\';
                out += static_cast<char>(code);
            } else if (code < 0x20) {
                control(out, code);
            } else if (code >= 0x80 && style_.ensure_ascii) {
                ascii(out, code);
            } else {
                out += bytes.substr(0, c.n_bytes);
            }
            bytes.remove_prefix(c.n_bytes);
        }
        return out;
    }

    static void control(std::string& out, unsigned code) {
        static constexpr std::string_view kBytes = "\b\f\n\r\t";
        const std::size_t at = kBytes.find(static_cast<char>(code));
        if (at == std::string_view::npos) {
            return unit(out, code);
        }
        out += '\\';
        out += "bfnrt"[at];
    }
    static void ascii(std::string& out, unsigned code) {
        if (code >= 0x10000) {
            unit(out, 0xD800 + ((code - 0x10000) >> 10));
            code = 0xDC00 + ((code - 0x10000) & 0x3FF);
        }
        unit(out, code);
    }
    static void unit(std::string& out, unsigned code) {
        static constexpr std::string_view kDigits = "0123456789abcdef";
        out += "\\u";
        for (int shift = 12; shift >= 0; shift -= 4) {
            out += kDigits[(code >> shift) & 15];
        }
    }

    void new_line() {
        if (style_.indented) {
            plain("\n");
            for (int i = 0; i < depth_; ++i) {
                out_.append(style_.indent);
            }
        }
    }
    void next_item(bool first) {
        if (!first) {
            out_.append(style_.item_separator);
        }
        new_line();
    }

    void list(const std::vector<Value>& items) {
        if (items.empty()) {
            return plain("[]");
        }
        plain("[");
        ++depth_;
        for (std::size_t i = 0; i < items.size(); ++i) {
            next_item(i == 0);
            value(items[i]);
        }
        --depth_;
        new_line();
        plain("]");
    }

    void dict(const DictData& dict) {
        if (dict.entries.empty()) {
            return plain("{}");
        }
        plain("{");
        ++depth_;
        bool first = true;
        for (const DictData::Entry* entry : ordered(dict)) {
            next_item(first);
            first = false;
            key(entry->first);
            out_.append(style_.key_separator);
            value(entry->second);
        }
        --depth_;
        new_line();
        plain("}");
    }

    void key(const Value& k) {
        if (k.is(Kind::string)) {
            return string(text_of(k));
        }
        if (!is_number(k) && !k.is(Kind::none) && !k.is(Kind::big)) {
            fail("a " + std::string(type_name(k)) + " cannot be a key in JSON");
        }
        plain("\"");
        value(k);
        plain("\"");
    }

    std::vector<const DictData::Entry*> ordered(const DictData& dict) {
        std::vector<const DictData::Entry*> entries;
        entries.reserve(dict.entries.size());
        for (const auto& entry : dict.entries) {
            entries.push_back(&entry);
        }
        if (style_.sort_keys) {
            std::stable_sort(entries.begin(), entries.end(), [this](const auto* a, const auto* b) {
                return compare(r_, a->first, b->first) == -1;
            });
        }
        return entries;
    }

    Render& r_;
    const Style& style_;
    Text out_;
    int depth_ = 0;
};

Text plain_text(std::string text) {
    return {std::move(text), Origin::trusted};
}

Style style_of(const Params& params) {
    Style style;
    style.ensure_ascii = params.truth(0, false);
    style.sort_keys = params.truth(3, false);
    const Value indent = params.get(1);
    style.indented = !indent.is(Kind::none);
    if (indent.is(Kind::string)) {
        style.indent = text_of(indent);
    } else if (style.indented) {
        const std::int64_t width = std::clamp<std::int64_t>(params.integer(1, 0), 0, 1000);
        style.indent = plain_text(std::string(static_cast<std::size_t>(width), ' '));
    }
    style.item_separator = plain_text(style.indented ? "," : ", ");
    style.key_separator = plain_text(": ");
    return style;
}

} // namespace

Value filter_tojson(Render& r, const Value& v, const Args& args) {
    const Params params("tojson", args, {"ensure_ascii", "indent", "separators", "sort_keys"});
    Style style = style_of(params);
    if (!params.get(2).is(Kind::none)) {
        const Items separators(r, params[2]);
        if (separators.size() != 2 || !separators[0].is(Kind::string) ||
            !separators[1].is(Kind::string)) {
            fail("tojson needs two strings as separators");
        }
        style.item_separator = text_of(separators[0]);
        style.key_separator = text_of(separators[1]);
    }
    Writer writer(r, style);
    writer.value(v);
    return r.string(writer.release());
}

} // namespace sotto::jinja
