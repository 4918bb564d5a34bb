// SPDX-License-Identifier: Apache-2.0
// Small templates with what they must render, over one set of values.
#pragma once

#include "engine/template/jinja/json.h"
#include "engine/template/jinja/template.h"

#include <doctest/doctest.h>

#include <span>
#include <string>
#include <string_view>

namespace sotto::test {

struct Case {
    std::string_view source;
    const char* expected; // kFails: refused, when it is read or when it runs
};
inline constexpr const char* kFails = nullptr;

inline constexpr std::string_view kCaseValues = R"({
    "s": "Hello World", "e": "", "u": "Ünï 漢字 🙂", "n": 5, "f": 2.5, "t": true, "z": null,
    "l": [3, 1, 2], "d": {"b": 1, "a": [1, 2], "C": "x"},
    "m": [{"role": "user", "n": 1}, {"role": "bot", "n": 2}, {"role": "User", "n": 3}],
    "big": 123456789012345678901234567890, "nest": {"items": [1], "get": 2},
    "q": "it's \"q\" \\ \n\t\u200b\u00e9", "html": "<a href='x'>&\"</a>"})";

/// 2024-02-29 13:05:09.
inline std::tm case_time() {
    std::tm time{};
    time.tm_year = 124;
    time.tm_mon = 1;
    time.tm_mday = 29;
    time.tm_hour = 13;
    time.tm_min = 5;
    time.tm_sec = 9;
    return time;
}

inline Result<jinja::Rendered> render_case(std::string_view source, const jinja::Value& values,
                                           const jinja::Limits& limits = {}) {
    const auto parsed = jinja::Template::parse(source);
    if (!parsed) {
        return parsed.error();
    }
    return (*parsed)->render(values, {limits, case_time});
}

inline jinja::Value values_of(std::string_view json) {
    auto values = jinja::from_json(json, jinja::Origin::input, jinja::Origin::trusted);
    REQUIRE_MESSAGE(values.has_value(), json);
    return *std::move(values);
}

inline void check_cases(std::span<const Case> cases) {
    const jinja::Value values = values_of(kCaseValues);
    for (const Case& c : cases) {
        CAPTURE(c.source);
        const auto rendered = render_case(c.source, values);
        if (c.expected == kFails) {
            CHECK_MESSAGE(!rendered.has_value(), (rendered ? rendered->text : ""));
        } else if (!rendered) {
            FAIL_CHECK(rendered.error().message);
        } else {
            CHECK(rendered->text == std::string(c.expected));
        }
    }
}

} // namespace sotto::test
