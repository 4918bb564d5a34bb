// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

/// The one header of ours over the logging library. Lines go to stderr; SOTTO_LOG names the lowest
/// level shown (debug, info, warn, error, off; warn if unset). Any thread.
namespace sotto::log {

void debug(std::string_view message);
void info(std::string_view message);
void warn(std::string_view message);
void error(std::string_view message);

} // namespace sotto::log
