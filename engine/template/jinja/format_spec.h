// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/template/jinja/render.h"

namespace sotto::jinja {

/// How one value is to be laid out: of "{:>8.2f}" and of "%8.2f".
struct FormatSpec {
    std::string fill = " ";
    char align = 0; // < > ^ =, 0: left for text, right for numbers
    char sign = '-';
    bool alternate = false; // 0x before hexadecimals
    char grouping = 0;      // , or _
    std::int64_t width = 0;
    int precision = -1;
    char type = 0; // s d b o x X c e E f F g G %
};

/// Fails where the type does not fit the value.
Text formatted_value(Render& r, const FormatSpec& spec, const Value& v);

/// The part of "{:...}" behind the colon.
FormatSpec parse_format_spec(std::string_view text);

} // namespace sotto::jinja
