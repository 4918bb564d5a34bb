// SPDX-License-Identifier: Apache-2.0
// Python's operators on values. Each fails where Python raises.
#pragma once

#include "engine/template/jinja/render.h"

namespace sotto::jinja {

enum class Operator : std::uint8_t { add, subtract, multiply, divide, floor_divide, modulo, power };
enum class Comparison : std::uint8_t { eq, ne, lt, le, gt, ge, in, not_in };

Value arithmetic(Render& r, Operator op, const Value& a, const Value& b);
Value negative(const Value& v);

bool equal(Render& r, const Value& a, const Value& b);
/// -1, 0, 1; 2 where a NaN leaves it open. Fails for kinds without an order.
int compare(Render& r, const Value& a, const Value& b);
bool contains(Render& r, const Value& container, const Value& item);
bool holds(Render& r, Comparison op, const Value& a, const Value& b);

/// What a % b is for a string a: printf-like.
Value percent_format(Render& r, const Text& format, const Value& arguments);

Value repeat(Render& r, const Value& sequence, std::int64_t times);
/// a + b for strings; markup escapes what is added to it.
Value add_strings(Render& r, const Value& a, const Value& b);
Text escaped(Render& r, const Text& text);
Value markup(Render& r, Text text);

/// Fails with what an undefined value has to say.
void refuse_undefined(const Value& v);

} // namespace sotto::jinja
