// SPDX-License-Identifier: Apache-2.0
#include "engine/template/jinja/convert.h"
#include "engine/template/jinja/operators.h"

#include <cmath>
#include <limits>

namespace sotto::jinja {
namespace {

constexpr std::string_view kSigns[] = {"+", "-", "*", "/", "//", "%", "**"};

[[noreturn]] void too_large() {
    fail("an integer does not fit into 64 bits");
}

/// a + b, a - b, a * b; false where the result does not fit.
bool fits(Operator op, std::int64_t a, std::int64_t b, std::int64_t& result) {
    constexpr auto kMax = std::numeric_limits<std::int64_t>::max();
    constexpr auto kMin = std::numeric_limits<std::int64_t>::min();
    if (op == Operator::add) {
        if (b > 0 ? a > kMax - b : a < kMin - b) {
            return false;
        }
        result = a + b;
    } else if (op == Operator::subtract) {
        if (b < 0 ? a > kMax + b : a < kMin + b) {
            return false;
        }
        result = a - b;
    } else {
        const bool over = a > 0   ? (b > 0 ? a > kMax / b : b < kMin / a)
                          : a < 0 ? (b > 0 ? a < kMin / b : b != 0 && b < kMax / a)
                                  : false;
        if (over) {
            return false;
        }
        result = a * b;
    }
    return true;
}

std::int64_t floor_quotient(std::int64_t a, std::int64_t b) {
    if (b == -1) {
        if (a == std::numeric_limits<std::int64_t>::min()) {
            too_large();
        }
        return -a;
    }
    const std::int64_t q = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

/// Has the sign of b.
std::int64_t remainder_of(std::int64_t a, std::int64_t b) {
    const std::int64_t m = b == -1 ? 0 : a % b;
    return m != 0 && (m < 0) != (b < 0) ? m + b : m;
}

double remainder_of(double a, double b) {
    const double m = std::fmod(a, b);
    if (m == 0) {
        return std::copysign(0.0, b);
    }
    return (m < 0) != (b < 0) ? m + b : m;
}

Value integer_power(std::int64_t base, std::int64_t exponent) {
    if (exponent < 0) {
        if (base == 0) {
            fail("zero to a negative power");
        }
        return Value::number(std::pow(static_cast<double>(base), static_cast<double>(exponent)));
    }
    std::int64_t result = 1;
    if (base == 0 || base == 1 || base == -1) {
        result = exponent == 0 ? 1 : base == -1 && exponent % 2 == 0 ? 1 : base;
        return Value::integer(result);
    }
    for (; exponent > 0; --exponent) { // at most 64 times before it does not fit
        if (!fits(Operator::multiply, result, base, result)) {
            too_large();
        }
    }
    return Value::integer(result);
}

Value on_integers(Operator op, std::int64_t a, std::int64_t b) {
    if (b == 0 &&
        (op == Operator::divide || op == Operator::floor_divide || op == Operator::modulo)) {
        fail("division by zero");
    }
    switch (op) {
    case Operator::divide:
        return Value::number(static_cast<double>(a) / static_cast<double>(b));
    case Operator::floor_divide:
        return Value::integer(floor_quotient(a, b));
    case Operator::modulo:
        return Value::integer(remainder_of(a, b));
    case Operator::power:
        return integer_power(a, b);
    default:
        break;
    }
    std::int64_t result = 0;
    if (!fits(op, a, b, result)) {
        too_large();
    }
    return Value::integer(result);
}

Value on_numbers(Operator op, double a, double b) {
    if (b == 0 &&
        (op == Operator::divide || op == Operator::floor_divide || op == Operator::modulo)) {
        fail("division by zero");
    }
    switch (op) {
    case Operator::add:
        return Value::number(a + b);
    case Operator::subtract:
        return Value::number(a - b);
    case Operator::multiply:
        return Value::number(a * b);
    case Operator::divide:
        return Value::number(a / b);
    case Operator::floor_divide:
        return Value::number(std::floor((a - remainder_of(a, b)) / b + 0.5));
    case Operator::modulo:
        return Value::number(remainder_of(a, b));
    case Operator::power:
        break;
    }
    if ((a == 0 && b < 0) || (a < 0 && std::isfinite(b) && b != std::floor(b))) {
        fail("a power that is no real number");
    }
    const double p = std::pow(a, b);
    if (std::isinf(p) && std::isfinite(a) && std::isfinite(b)) {
        fail("a number too large");
    }
    return Value::number(p);
}

[[noreturn]] void no_such(Operator op, const Value& a, const Value& b) {
    fail("no '" + std::string(kSigns[static_cast<std::size_t>(op)]) + "' between a " +
         std::string(type_name(a)) + " and a " + std::string(type_name(b)));
}

Value joined(Render& r, const Value& a, const Value& b) {
    const auto &x = items_in(a), &y = items_in(b);
    r.meter.step((x.size() + y.size()) / 8);
    r.meter.room((x.size() + y.size()) * sizeof(Value));
    std::vector<Value> items;
    items.reserve(x.size() + y.size());
    items.insert(items.end(), x.begin(), x.end());
    items.insert(items.end(), y.begin(), y.end());
    return r.list(std::move(items), is_tuple(a) ? Flavor::tuple : Flavor::list);
}

bool repeatable(const Value& v) {
    return v.is(Kind::string) || is_tuple(v) || is_flavor(v, Flavor::list);
}

} // namespace

Value arithmetic(Render& r, Operator op, const Value& a, const Value& b) {
    r.meter.step();
    if (is_integral(a) && is_integral(b)) {
        return on_integers(op, a.integer(), b.integer());
    }
    if (is_number(a) && is_number(b)) {
        return on_numbers(op, as_double(a), as_double(b));
    }
    if (op == Operator::modulo && a.is(Kind::string)) {
        return percent_format(r, text_of(a), b);
    }
    refuse_undefined(a);
    refuse_undefined(b);
    if (op == Operator::add) {
        if (a.is(Kind::string) && b.is(Kind::string)) {
            return add_strings(r, a, b);
        }
        if ((is_tuple(a) && is_tuple(b)) ||
            (is_flavor(a, Flavor::list) && is_flavor(b, Flavor::list))) {
            return joined(r, a, b);
        }
    }
    if (op == Operator::multiply) {
        if (repeatable(a) && is_integral(b)) {
            return repeat(r, a, b.integer());
        }
        if (is_integral(a) && repeatable(b)) {
            return repeat(r, b, a.integer());
        }
    }
    no_such(op, a, b);
}

Value negative(const Value& v) {
    refuse_undefined(v);
    if (v.is(Kind::number)) {
        return Value::number(-v.number());
    }
    if (!is_integral(v)) {
        fail("a " + std::string(type_name(v)) + " has no negative");
    }
    if (v.integer() == std::numeric_limits<std::int64_t>::min()) {
        too_large();
    }
    return Value::integer(-v.integer());
}

Value repeat(Render& r, const Value& sequence, std::int64_t times) {
    const auto n = static_cast<std::size_t>(std::max<std::int64_t>(times, 0));
    if (sequence.is(Kind::string)) {
        const Text& text = text_of(sequence);
        if (!text.empty() && n > 0) {
            r.meter.length(n > SIZE_MAX / text.size() ? SIZE_MAX : n * text.size());
        }
        r.meter.copied(3 * n * text.size());
        Text out, power = text; // by doubling: appending a byte at a time takes its time
        for (std::size_t left = text.empty() ? 0 : n; left > 0; left /= 2) {
            if (left % 2 == 1) {
                out.append(power);
            }
            if (left > 1) {
                power.append(Text(power));
            }
        }
        return r.string(std::move(out));
    }
    const auto& items = items_in(sequence);
    if (!items.empty() && n > 0) {
        r.meter.room(n > SIZE_MAX / sizeof(Value) / items.size()
                         ? SIZE_MAX
                         : n * items.size() * sizeof(Value));
    }
    std::vector<Value> out;
    for (std::size_t i = 0; i < n && !items.empty(); ++i) {
        out.insert(out.end(), items.begin(), items.end());
    }
    return r.list(std::move(out), is_tuple(sequence) ? Flavor::tuple : Flavor::list);
}

Value add_strings(Render& r, const Value& a, const Value& b) {
    const bool a_marked = a.as<StringData>().markup, b_marked = b.as<StringData>().markup;
    r.meter.length(view_of(a).size() + view_of(b).size());
    Text out = b_marked && !a_marked ? escaped(r, text_of(a)) : text_of(a);
    out.append(a_marked && !b_marked ? escaped(r, text_of(b)) : text_of(b));
    return a_marked || b_marked ? markup(r, std::move(out)) : r.string(std::move(out));
}

Text escaped(Render& r, const Text& text) {
    r.meter.scanned(text.size() * 4);
    Text out;
    text.each_run([&](std::string_view bytes, Origin origin) {
        std::string part;
        for (const char c : bytes) {
            const std::string_view whole(&c, 1);
            part += c == '&'    ? "&amp;"
                    : c == '<'  ? "&lt;"
                    : c == '>'  ? "&gt;"
                    : c == '\'' ? "&#39;"
                    : c == '"'  ? "&#34;"
                                : whole;
        }
        r.meter.length(out.size() + part.size());
        out.append(part, origin);
    });
    return out;
}

Value markup(Render& r, Text text) {
    Value v = r.string(std::move(text));
    v.as<StringData>().markup = true;
    return v;
}

} // namespace sotto::jinja
