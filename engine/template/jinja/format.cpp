// SPDX-License-Identifier: Apache-2.0
// "%s" % values and "{}".format(values).
#include "engine/template/jinja/access.h"
#include "engine/template/jinja/convert.h"
#include "engine/template/jinja/format_spec.h"
#include "engine/template/jinja/methods.h"
#include "engine/template/jinja/number_text.h"
#include "engine/template/jinja/operators.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace sotto::jinja {
namespace {

/// repr(v) as a value, which the conversions %r and {!r} ask for.
Value repr_value(Render& r, const Value& v) {
    Text text;
    append_repr(r, text, v);
    return r.string(std::move(text));
}

class PercentFormatter {
  public:
    PercentFormatter(Render& r, const Text& format, const Value& arguments)
        : r_(r), format_(format), rest_(format.view()), arguments_(arguments) {}

    Value run() {
        while (!rest_.empty()) {
            const std::size_t plain = std::min(rest_.find('%'), rest_.size());
            out_.append(format_, at(), at() + plain);
            rest_.remove_prefix(plain);
            if (!rest_.empty()) {
                rest_.remove_prefix(1);
                conversion();
            }
            r_.meter.length(out_.size());
        }
        const bool all_used = is_tuple(arguments_) ? n_used_ == items_in(arguments_).size()
                                                   : n_used_ == 1 || arguments_.is(Kind::dict) ||
                                                         is_flavor(arguments_, Flavor::list);
        if (!all_used) {
            fail("not all arguments are used by the format");
        }
        return r_.string(std::move(out_));
    }

  private:
    [[nodiscard]] std::size_t at() const { return format_.size() - rest_.size(); }
    [[nodiscard]] char take() {
        if (rest_.empty()) {
            fail("a format that ends in the middle");
        }
        const char c = rest_.front();
        rest_.remove_prefix(1);
        return c;
    }

    Value argument() {
        if (is_tuple(arguments_)) {
            if (n_used_ >= items_in(arguments_).size()) {
                fail("not enough arguments for the format");
            }
            return items_in(arguments_)[n_used_++];
        }
        if (n_used_++ > 0) {
            fail("not enough arguments for the format");
        }
        return arguments_;
    }

    Value named() {
        const std::size_t end = rest_.find(')');
        if (end == std::string_view::npos || !arguments_.is(Kind::dict)) {
            fail("a format with names needs a dict");
        }
        const Value* found = arguments_.as<DictData>().find(rest_.substr(0, end));
        if (found == nullptr) {
            fail("no argument named '" + std::string(rest_.substr(0, end)) + "'");
        }
        rest_.remove_prefix(end + 1);
        return *found;
    }

    std::int64_t number(std::int64_t limit) {
        if (!rest_.empty() && rest_.front() == '*') {
            rest_.remove_prefix(1);
            const Value v = argument();
            if (!is_integral(v) || v.integer() < 0 || v.integer() > limit) {
                fail("a width in a format must be an integer, and not too large");
            }
            return v.integer();
        }
        std::int64_t n = 0;
        while (!rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9') {
            n = n * 10 + (take() - '0');
            if (n > limit) {
                fail("a width or precision in a format is too large");
            }
        }
        return n;
    }

    void flags(FormatSpec& spec) {
        spec.align = '>';
        for (;; rest_.remove_prefix(1)) {
            const char c = rest_.empty() ? ' ' - 1 : rest_.front();
            if (c == '-') {
                spec.align = '<';
            } else if (c == '0') {
                zero_ = true;
            } else if (c == '+' || (c == ' ' && spec.sign != '+')) {
                spec.sign = c;
            } else if (c == '#') {
                spec.alternate = true;
            } else if (c != ' ') {
                return;
            }
        }
    }

    void conversion() {
        FormatSpec spec;
        zero_ = false;
        std::optional<Value> value;
        if (!rest_.empty() && rest_.front() == '(') {
            rest_.remove_prefix(1);
            value = named();
        }
        flags(spec);
        spec.width = number(1 << 26);
        if (!rest_.empty() && rest_.front() == '.') {
            rest_.remove_prefix(1);
            spec.precision = static_cast<int>(number(1000));
        }
        while (!rest_.empty() &&
               std::string_view("hlL").find(rest_.front()) != std::string_view::npos) {
            rest_.remove_prefix(1);
        }
        const char type = take();
        if (type == '%') {
            out_.append("%", Origin::trusted);
            return;
        }
        out_.append(converted(spec, type, value ? *value : argument()));
    }

    Text converted(FormatSpec& spec, char type, Value v) {
        if (type == 's' || type == 'r' || type == 'a') {
            spec.type = 's';
            return formatted_value(r_, spec, type == 's' ? v : repr_value(r_, v));
        }
        if (zero_ && spec.align != '<') {
            spec.fill = "0";
            spec.align = '=';
        }
        spec.type = type == 'i' || type == 'u' ? 'd' : type;
        if (spec.type == 'c' && v.is(Kind::string)) {
            spec.type = 's';
            return formatted_value(r_, spec, v);
        }
        if (std::string_view("dxXoceEfFgG").find(spec.type) == std::string_view::npos ||
            !is_number(v)) {
            fail(std::string("the format '%") + type + "' does not fit a " +
                 std::string(type_name(v)));
        }
        if (spec.type == 'd' && v.is(Kind::number)) {
            Value whole;
            if (!integer_from_text(
                    fixed_text(v.number() < 0 ? std::ceil(v.number()) : std::floor(v.number()), 0),
                    10, whole) ||
                !is_integral(whole)) {
                fail("a number too large for '%d'");
            }
            v = whole;
        }
        return formatted_value(r_, spec, v);
    }

    Render& r_;
    const Text& format_;
    std::string_view rest_;
    const Value& arguments_;
    std::size_t n_used_ = 0;
    bool zero_ = false;
    Text out_;
};

class BraceFormatter {
  public:
    BraceFormatter(Render& r, const Text& format, const Args& args)
        : r_(r), format_(format), args_(args) {}

    Value run() {
        const std::string_view text = format_.view();
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t brace = std::min(text.find_first_of("{}", at), text.size());
            out_.append(format_, at, brace);
            at = brace;
            if (at == text.size()) {
                break;
            }
            if (at + 1 < text.size() && text[at + 1] == text[at]) {
                out_.append(format_, at, at + 1);
                at += 2;
                continue;
            }
            const std::size_t end = field_end(text, at);
            field(text.substr(at + 1, end - at - 1));
            at = end + 1;
            r_.meter.length(out_.size());
        }
        return r_.string(std::move(out_));
    }

  private:
    static std::size_t field_end(std::string_view text, std::size_t at) {
        const std::size_t end =
            text[at] == '{' ? text.find_first_of("{}", at + 1) : std::string_view::npos;
        if (end == std::string_view::npos || text[end] == '{') {
            fail("a format with a single brace, or with braces inside each other");
        }
        return end;
    }

    void field(std::string_view text) {
        const std::size_t colon = text.find(':');
        std::string_view name = text.substr(0, colon);
        char conversion = 0;
        if (name.size() >= 2 && name[name.size() - 2] == '!') {
            conversion = name.back();
            name.remove_suffix(2);
        }
        Value v = value(name);
        if (conversion != 0) {
            v = conversion == 's' ? to_string(r_, v) : repr_value(r_, v);
        }
        const auto spec =
            parse_format_spec(colon == std::string_view::npos ? "" : text.substr(colon + 1));
        out_.append(formatted_value(r_, spec, v));
    }

    Value value(std::string_view name) {
        const std::size_t first_end = std::min(name.find_first_of(".["), name.size());
        Value v = first(name.substr(0, first_end));
        name.remove_prefix(first_end);
        while (!name.empty()) {
            const bool item = name.front() == '[';
            const std::size_t end =
                item ? name.find(']') : std::min(name.find_first_of(".[", 1), name.size());
            if (end == std::string_view::npos) {
                fail("a format with a bracket that does not close");
            }
            const std::string_view part = name.substr(1, end - 1);
            v = item ? get_item(r_, v, key(part)) : get_attribute(r_, v, part);
            name.remove_prefix(item ? end + 1 : end);
        }
        return v;
    }

    static Value key(std::string_view part) {
        std::int64_t i = 0;
        const auto end = std::from_chars(part.data(), part.data() + part.size(), i);
        return end.ec == std::errc() && end.ptr == part.data() + part.size() && i >= 0
                   ? Value::integer(i)
                   : Value::trusted(std::string(part));
    }

    Value first(std::string_view name) {
        const Value index = key(name);
        if (name.empty() || index.is(Kind::integer)) {
            const std::size_t i =
                name.empty() ? n_used_++ : static_cast<std::size_t>(index.integer());
            if (i >= args_.positional.size()) {
                fail("not enough arguments for the format");
            }
            return args_.positional[i];
        }
        for (const auto& [key, value] : args_.keywords) {
            if (key == name) {
                return value;
            }
        }
        fail("no argument named '" + std::string(name) + "'");
    }

    Render& r_;
    const Text& format_;
    const Args& args_;
    std::size_t n_used_ = 0;
    Text out_;
};

} // namespace

Value percent_format(Render& r, const Text& format, const Value& arguments) {
    r.meter.scanned(format.size());
    return PercentFormatter(r, format, arguments).run();
}

Value brace_format(Render& r, const Value& self, const Args& args) {
    r.meter.scanned(view_of(self).size());
    return BraceFormatter(r, text_of(self), args).run();
}

} // namespace sotto::jinja
