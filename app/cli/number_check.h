// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/App.hpp>

#include <charconv>
#include <string>
#include <type_traits>

namespace sotto::cli {

/// "0.5", "200", "-1"
template <class T>
std::string number_text(T value) {
    char text[64];
    const auto end = std::to_chars(text, text + sizeof text, value).ptr;
    return {text, end};
}

/// Looks at the text of an argument before it is converted, so that what is out of range, too long
/// for the type, or no number at all gets one kind of message. NaN is outside every range.
template <class T>
CLI::Validator in_range(T min, T max) {
    return CLI::Validator(
        [min, max](std::string& text) -> std::string {
            T value{};
            const char* end = text.data() + text.size();
            const auto [stop, code] = std::from_chars(text.data(), end, value);
            if (code == std::errc{} && stop == end && value >= min && value <= max) {
                return {};
            }
            const char* kind = std::is_floating_point_v<T> ? "a number" : "a whole number";
            return "'" + text + "' is not " + kind + " from " + number_text(min) + " to " +
                   number_text(max);
        },
        {});
}

} // namespace sotto::cli
