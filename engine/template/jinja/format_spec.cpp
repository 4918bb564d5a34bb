// SPDX-License-Identifier: Apache-2.0
#include "engine/template/jinja/format_spec.h"

#include "engine/template/jinja/convert.h"
#include "engine/template/jinja/number_text.h"
#include "engine/template/jinja/unicode.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace sotto::jinja {
namespace {

constexpr int kMaxPrecision = 1000;

[[noreturn]] void wrong_type(const FormatSpec& spec, const Value& v) {
    fail(std::string("the format '") + (spec.type != 0 ? spec.type : 's') + "' does not fit a " +
         std::string(type_name(v)));
}

/// Digits of an integer without its sign.
std::string integer_digits(const FormatSpec& spec, std::uint64_t magnitude) {
    const int base = spec.type == 'b'                       ? 2
                     : spec.type == 'o'                     ? 8
                     : spec.type == 'x' || spec.type == 'X' ? 16
                                                            : 10;
    char buffer[72];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, magnitude, base);
    std::string digits(buffer, end.ptr);
    if (spec.precision > static_cast<int>(digits.size())) { // of % alone
        digits.insert(0, static_cast<std::size_t>(spec.precision) - digits.size(), '0');
    }
    return digits;
}

std::string upper_case(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
    return text;
}

std::string float_digits(const FormatSpec& spec, double magnitude) {
    if (!std::isfinite(magnitude)) {
        return std::isnan(magnitude) ? "nan" : "inf";
    }
    const int precision = spec.precision < 0 ? 6 : spec.precision;
    switch (spec.type) {
    case 'f':
    case 'F':
        return fixed_text(magnitude, precision);
    case '%':
        return fixed_text(magnitude * 100, precision) + "%";
    case 'e':
    case 'E':
        return scientific_text(magnitude, precision);
    case 0:
        if (spec.precision < 0) {
            return float_text(magnitude);
        }
        [[fallthrough]];
    default:
        return general_text(magnitude, precision, spec.alternate);
    }
}

std::string grouped(std::string digits, char separator, std::size_t width) {
    const std::size_t whole =
        std::min(digits.find_first_not_of("0123456789abcdefABCDEF"), digits.size());
    for (std::size_t at = whole; at > width; at -= width) {
        digits.insert(at - width, 1, separator);
    }
    return digits;
}

void repeat_fill(Text& out, const std::string& fill, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) {
        out.append(fill, Origin::trusted);
    }
}

Text aligned(Render& r, const FormatSpec& spec, const Text& prefix, const Text& body, char align) {
    const auto n = static_cast<std::int64_t>(n_chars(prefix.view()) + n_chars(body.view()));
    const std::int64_t missing = std::max<std::int64_t>(spec.width - n, 0);
    r.meter.length(static_cast<std::size_t>(missing) * spec.fill.size() + body.size());
    r.meter.step(static_cast<std::uint64_t>(missing) / 4);
    const std::int64_t left = align == '>' ? missing : align == '^' ? missing / 2 : 0;
    Text out;
    repeat_fill(out, spec.fill, left);
    out.append(prefix);
    repeat_fill(out, spec.fill, align == '=' ? missing : 0);
    out.append(body);
    repeat_fill(out, spec.fill, align == '=' ? 0 : missing - left);
    return out;
}

Text number_text(Render& r, const FormatSpec& spec, const Value& v) {
    const bool real_type =
        std::string_view("eEfFgG%").find(spec.type) != std::string_view::npos && spec.type != 0;
    const bool real = v.is(Kind::number) || real_type;
    if (v.is(Kind::number) && spec.type != 0 && !real_type) {
        wrong_type(spec, v);
    }
    bool minus = false;
    std::string digits, prefix;
    if (real) {
        const double d = as_double(v);
        minus = std::signbit(d) && !std::isnan(d);
        digits = float_digits(spec, std::fabs(d));
        digits =
            spec.type == 'E' || spec.type == 'G' || spec.type == 'F' ? upper_case(digits) : digits;
    } else {
        minus = v.integer() < 0;
        const auto bits = static_cast<std::uint64_t>(v.integer());
        digits = integer_digits(spec, minus ? std::uint64_t{0} - bits : bits);
        digits = spec.type == 'X' ? upper_case(digits) : digits;
        if (spec.alternate && spec.type != 0 && spec.type != 'd') {
            prefix = std::string("0") + spec.type;
        }
    }
    if (spec.grouping != 0) {
        digits = grouped(digits, spec.grouping, prefix.empty() ? 3 : 4);
    }
    prefix.insert(0, minus ? "-" : spec.sign == '-' ? "" : std::string(1, spec.sign));
    return aligned(r, spec, Text(prefix, Origin::trusted), Text(digits, Origin::trusted),
                   spec.align != 0 ? spec.align : '>');
}

} // namespace

Text formatted_value(Render& r, const FormatSpec& spec, const Value& v) {
    r.meter.step(8 + static_cast<std::uint64_t>(std::max(spec.precision, 0)) / 4);
    if (spec.type == 'c' && is_integral(v)) {
        std::string bytes;
        if (v.integer() < 0 || v.integer() > 0x10FFFF) {
            fail("no character has the number " + std::to_string(v.integer()));
        }
        append_utf8(bytes, static_cast<char32_t>(v.integer()));
        return aligned(r, spec, {}, Text(bytes, Origin::trusted),
                       spec.align != 0 ? spec.align : '<');
    }
    if (is_number(v) && spec.type != 's' && !(v.is(Kind::boolean) && spec.type == 0)) {
        return number_text(r, spec, v);
    }
    if (spec.type != 0 && spec.type != 's') {
        wrong_type(spec, v);
    }
    const Str s(r, v);
    r.meter.scanned(s.view().size());
    const std::size_t end = spec.precision < 0
                                ? s.view().size()
                                : offset_of(s.view(), static_cast<std::size_t>(spec.precision));
    return aligned(r, spec, {}, s.text().slice(0, end), spec.align != 0 ? spec.align : '<');
}

FormatSpec parse_format_spec(std::string_view text) {
    FormatSpec spec;
    const auto take = [&text](std::string_view among) {
        const bool there = !text.empty() && among.find(text.front()) != std::string_view::npos;
        const char c = there ? text.front() : '\0';
        text.remove_prefix(there ? 1 : 0);
        return c;
    };
    const auto number = [&text](std::int64_t limit) {
        std::int64_t n = 0;
        const auto end = std::from_chars(text.data(), text.data() + text.size(), n);
        if (end.ec == std::errc::invalid_argument || text.front() == '-') {
            return std::int64_t{-1};
        }
        if (end.ec != std::errc() || n > limit) {
            fail("a width or precision in a format is too large");
        }
        text.remove_prefix(static_cast<std::size_t>(end.ptr - text.data()));
        return n;
    };
    if (!text.empty()) {
        const std::size_t n = next_char(text).n_bytes;
        if (n < text.size() && std::string_view("<>=^").find(text[n]) != std::string_view::npos) {
            spec.fill = text.substr(0, n);
            text.remove_prefix(n);
        }
    }
    spec.align = take("<>=^");
    spec.sign = take("+- ");
    spec.sign = spec.sign == 0 ? '-' : spec.sign;
    spec.alternate = take("#") != 0;
    if (!text.empty() && text.front() == '0' && spec.align == 0) {
        spec.fill = "0";
        spec.align = '=';
    }
    spec.width = text.empty() ? 0 : std::max<std::int64_t>(number(1 << 26), 0);
    spec.grouping = take(",_");
    if (take(".") != 0) {
        spec.precision = text.empty() ? -1 : static_cast<int>(number(kMaxPrecision));
        if (spec.precision < 0) {
            fail("a format without its precision");
        }
    }
    spec.type = take("sdboxXceEfFgG%n");
    spec.type = spec.type == 'n' ? 'd' : spec.type;
    if (!text.empty()) {
        fail("a format that cannot be read");
    }
    return spec;
}

} // namespace sotto::jinja
