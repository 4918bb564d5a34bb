// SPDX-License-Identifier: Apache-2.0
// What failures say, and what a template finds when values are missing (cases C01, C03).
#include "tests/engine/template/jinja_cases.h"

#include <thread>

using namespace sotto;
using namespace sotto::test;
using jinja::Value;

namespace {

Error failure(std::string_view source) {
    const auto rendered = render_case(source, values_of(R"({"messages": [], "s": "x"})"));
    CAPTURE(source);
    REQUIRE(!rendered.has_value());
    return rendered.error();
}

} // namespace

TEST_CASE("errors name the line and the thing") {
    const std::pair<std::string_view, std::string_view> cases[] = {
        {"a\n{{ broken", "line 2: a tag without its end"},
        {"\n\n{{ 'x }}", "line 3: a string without its end"},
        {"{# open", "line 1: a comment without its end"},
        {"{% raw %} x", "line 1: a raw block without its end"},
        {"{% if s %}\n{{ s }}", "line 2: expected 'endif', found the end of the template"},
        {"{% nonsense %}", "line 1: unknown tag 'nonsense'"},
        {"{{ s s }}", "line 1: expected the end of the tag, found 's'"},
        {"{{ (s] }}", "line 1: unexpected ']'"},
        {"{{ s ? s }}", "line 1: unexpected character ?"},
        {"{% set none = 1 %}", "line 1: cannot assign to none"},
        {"{% break %}", "line 1: break or continue outside of a loop"},
        {"\n{{ missing.role }}", "line 2: 'missing' is undefined"},
        {"{{ s.role.name }}", "line 1: 'str object' has no attribute 'role'"},
        {"{{ messages[0].role }}", "line 1: list object has no element 0"},
        {"\n\n{{ s + 1 }}", "line 3: no '+' between a str and a int"},
        {"{{ s | nonsense }}", "line 1: no filter named 'nonsense'"},
        {"{{ s is nonsense }}", "line 1: no test named 'nonsense'"},
        {"{% for a in 5 %}{% endfor %}", "line 1: a int cannot be iterated over"},
        {"{{ messages.append(1) }}",
         "line 1: access to attribute 'append' of 'list' object is unsafe"},
        {"{{ s.__class__.x }}",
         "line 1: access to attribute '__class__' of 'str' object is unsafe"},
        {"{% macro f() %}\n{{ 1 / 0 }}\n{% endmacro %}\n\n{{ f() }}", "line 2: division by zero"},
        {"{{ namespace() | tojson }}", "line 1: a Namespace cannot be written as JSON"},
        {"{{ s | replace('a') }}", "line 1: replace needs the argument 'new'"},
        {"{{ s.split(1) }}", "line 1: split needs a string, not a int"},
        {"{{ 9223372036854775807 + 1 }}", "line 1: an integer does not fit into 64 bits"},
    };
    for (const auto& [source, expected] : cases) {
        const Error error = failure(source);
        CHECK(error.message == expected);
        CHECK(error.code == ErrorCode::bad_file);
    }
}

TEST_CASE("errors: what is not there is refused by name") {
    for (const std::string_view tag : {"include 'a'", "import 'a' as b", "from 'a' import b",
                                       "extends 'a'", "block a", "autoescape true", "print s"}) {
        const Error error = failure("{% " + std::string(tag) + " %}");
        CHECK(error.code == ErrorCode::unsupported);
        CHECK(error.message.find("'" + std::string(tag.substr(0, tag.find(' '))) + "'") !=
              std::string::npos);
    }
}

TEST_CASE("errors: the template's own refusal is told apart") {
    const Error error =
        failure("\n{% if s %}{{ raise_exception('No ' ~ s ~ ' here!') }}{% endif %}");
    CHECK(error.code == ErrorCode::bad_argument);
    CHECK(error.message == "No x here!");
}

TEST_CASE("errors: globals that are no dict, no clock") {
    const auto parsed = jinja::Template::parse("{{ strftime_now is defined }}");
    REQUIRE(parsed.has_value());
    const auto rendered = (*parsed)->render(Value::dict({}));
    REQUIRE(rendered.has_value());
    CHECK(rendered->text == "False");
    CHECK(!(*parsed)->render(Value::integer(1)).has_value());
}

TEST_CASE("values: the caller's hide the functions, of equal keys the last counts") {
    const auto rendered =
        render_case("{{ range }}{{ a }}{{ b }}", Value::dict({{"range", Value::integer(1)},
                                                              {"a", Value::integer(2)},
                                                              {"b", Value::boolean(true)},
                                                              {"a", Value::number(0.5)}}));
    REQUIRE(rendered.has_value());
    CHECK(rendered->text == "10.5True");
}

TEST_CASE("a template renders in several threads at once") {
    const auto parsed = jinja::Template::parse("{% macro f(x) %}<{{ x | upper }}>{% endmacro %}{% "
                                               "for m in m %}{{ f(m.role) }}{% endfor %}");
    REQUIRE(parsed.has_value());
    const Value values = values_of(kCaseValues);
    std::vector<std::string> texts(4);
    std::vector<std::thread> threads;
    for (std::string& text : texts) {
        threads.emplace_back([&] {
            for (int i = 0; i < 50; ++i) {
                const auto rendered = (*parsed)->render(values);
                text = rendered ? rendered->text : rendered.error().message;
            }
        });
    }
    for (auto& thread : threads) {
        thread.join();
    }
    for (const std::string& text : texts) {
        CHECK(text == "<USER><BOT><USER>");
    }
}
