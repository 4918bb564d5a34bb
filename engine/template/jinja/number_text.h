// SPDX-License-Identifier: Apache-2.0
// Numbers from text and to text, whatever the program's locale is.
#pragma once

#include "engine/template/jinja/value.h"

#include <string>
#include <string_view>

namespace sotto::jinja {

/// int(text, base): blanks around it, a sign, underscores between digits, a prefix that fits the
/// base (0: any). A decimal beyond 64 bits is big. False if it is none.
bool integer_from_text(std::string_view text, std::int64_t base, Value& result);
/// float(text): also "inf" and "nan".
bool number_from_text(std::string_view text, double& result);

/// "%.{precision}f", "%.{precision}e", "%.{precision}g" of a finite number.
std::string fixed_text(double d, int precision);
std::string scientific_text(double d, int precision);
std::string general_text(double d, int precision, bool keep_zeros);

} // namespace sotto::jinja
