// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ctime>
#include <string>
#include <string_view>

namespace sotto::jinja {

/// What Python's strftime gives in the C locale, in English whatever the program's locale is.
/// Unknown directives stay as they are. `time` needs day, month, year and clock; the days of the
/// week and of the year are reckoned from them.
std::string formatted_time(std::string_view format, const std::tm& time);

} // namespace sotto::jinja
