// SPDX-License-Identifier: Apache-2.0
// Filters that give numbers.
#include "engine/template/jinja/access.h"
#include "engine/template/jinja/convert.h"
#include "engine/template/jinja/filters.h"
#include "engine/template/jinja/number_text.h"
#include "engine/template/jinja/operators.h"
#include "engine/template/jinja/unicode.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sotto::jinja {
namespace {

bool from_double(double d, Value& result) {
    constexpr double kLimit = 9223372036854775808.0; // 2^63
    if (!(std::fabs(d) < kLimit)) {
        return false;
    }
    result = Value::integer(static_cast<std::int64_t>(d));
    return true;
}

/// Reading long numbers takes its time.
void charge_text(Render& r, const Value& v) {
    if (v.is(Kind::string) || v.is(Kind::big)) {
        r.meter.scanned(view_of(v).size() * 32);
    }
}

Value to_int(Render& r, const Value& v, const Args& args) {
    const Params params("int", args, {"default", "base"});
    Value otherwise = params.has(0) ? params[0] : Value::integer(0);
    refuse_undefined(v);
    Value result;
    if (is_integral(v)) {
        return Value::integer(v.integer());
    }
    if (v.is(Kind::big)) {
        return v;
    }
    if (v.is(Kind::number)) {
        return from_double(v.number(), result) ? result : otherwise;
    }
    double d = 0;
    charge_text(r, v);
    if (v.is(Kind::string) && (integer_from_text(view_of(v), params.integer(1, 10), result) ||
                               (number_from_text(view_of(v), d) && from_double(d, result)))) {
        return result;
    }
    return otherwise;
}

Value to_float(Render& r, const Value& v, const Args& args) {
    const Params params("float", args, {"default"});
    refuse_undefined(v);
    double d = 0;
    charge_text(r, v);
    if (is_number(v)) {
        return Value::number(as_double(v));
    }
    if ((v.is(Kind::string) || v.is(Kind::big)) && number_from_text(view_of(v), d)) {
        return Value::number(d);
    }
    return params.has(0) ? params[0] : Value::number(0);
}

Value absolute(Render&, const Value& v, const Args& args) {
    const Params params("abs", args, {});
    if (v.is(Kind::number)) {
        return Value::number(std::fabs(v.number()));
    }
    return is_integral(v) && v.integer() >= 0 ? Value::integer(v.integer()) : negative(v);
}

/// Rounds to a multiple of 10^-precision, half to even; integers for a negative precision too.
double rounded(double d, std::int64_t precision) {
    if (!std::isfinite(d) || precision > 300) {
        return d;
    }
    double result = 0;
    if (precision >= 0) {
        return number_from_text(fixed_text(d, static_cast<int>(precision)), result) ? result : d;
    }
    const double unit =
        std::pow(10.0, static_cast<double>(std::min<std::int64_t>(-precision, 400)));
    return std::isfinite(unit) ? std::nearbyint(d / unit) * unit : std::copysign(0.0, d);
}

Value round(Render& r, const Value& v, const Args& args) {
    const Params params("round", args, {"precision", "method"});
    const std::int64_t precision = params.integer(0, 0);
    const std::string_view method = params.string(1, "common");
    refuse_undefined(v);
    r.meter.step(static_cast<std::uint64_t>(std::clamp<std::int64_t>(precision, 0, 400)) / 4);
    if (!is_number(v) || (method != "common" && method != "ceil" && method != "floor")) {
        fail("round needs a number, and 'common', 'ceil' or 'floor'");
    }
    if (method == "common") {
        return is_integral(v) && precision >= 0 ? Value::integer(v.integer())
               : is_integral(v)
                   ? Value::integer(static_cast<std::int64_t>(rounded(as_double(v), precision)))
                   : Value::number(rounded(as_double(v), precision));
    }
    const double unit = std::pow(10.0, static_cast<double>(precision));
    const double scaled = as_double(v) * unit;
    return Value::number((method == "ceil" ? std::ceil(scaled) : std::floor(scaled)) / unit);
}

Value sum(Render& r, const Value& v, const Args& args) {
    const Params params("sum", args, {"attribute", "start"});
    Value total = params.has(1) ? params[1] : Value::integer(0);
    if (total.is(Kind::string)) {
        fail("sum adds no strings; join does");
    }
    for (const Value& item : Items(r, v)) {
        const bool by_attribute = !params.get(0).is(Kind::none);
        total = arithmetic(r, Operator::add, total,
                           by_attribute ? follow_path(r, item, params[0]) : item);
    }
    return total;
}

constexpr FilterEntry kNumberFilters[] = {
    {"int", to_int}, {"float", to_float}, {"abs", absolute}, {"round", round}, {"sum", sum},
};

} // namespace

std::span<const FilterEntry> number_filters() {
    return kNumberFilters;
}

} // namespace sotto::jinja
