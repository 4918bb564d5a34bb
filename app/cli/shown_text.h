// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

namespace sotto::cli {

/// Control characters and what is no UTF-8 as escapes: a file must not speak to the terminal.
std::string shown(const std::string& text);

/// shown(text) in lines of at most `width` columns, broken at blanks where there are any, later
/// ones indented; `first` stands as it is before the first. Ends with a line end.
std::string wrapped(const std::string& first, const std::string& text, std::size_t indent,
                    std::size_t width = 80);

} // namespace sotto::cli
