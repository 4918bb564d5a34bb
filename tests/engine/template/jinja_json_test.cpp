// SPDX-License-Identifier: Apache-2.0
// tojson (cases C09 and C11) and from_json. What tojson must give is what jinja2 3.1.6 gives, set
// up as in tests/reference/render_templates.py.
#include "tests/engine/template/jinja_cases.h"

using namespace sotto;
using namespace sotto::test;

namespace {

constexpr Case kToJson[] = {
    {"{{ d|tojson }}", "{\"b\": 1, \"a\": [1, 2], \"C\": \"x\"}"},
    {"{{ l|tojson }}", "[3, 1, 2]"},
    {"{{ s|tojson }}", "\"Hello World\""},
    {"{{ u|tojson }}", "\"Ünï 漢字 🙂\""},
    {"{{ q|tojson }}", "\"it's \\\"q\\\" \\\\ \\n\\t\342\200\213é\""},
    {"{{ none|tojson }}", "null"},
    {"{{ true|tojson }}", "true"},
    {"{{ 2.0|tojson }}", "2.0"},
    {"{{ 1e20|tojson }}", "1e+20"},
    {"{{ (1,2)|tojson }}", "[1, 2]"},
    {"{{ {}|tojson }}", "{}"},
    {"{{ []|tojson }}", "[]"},
    {"{{ {'a':[],'b':{}}|tojson }}", "{\"a\": [], \"b\": {}}"},
    {"{{ d|tojson(indent=2) }}",
     "{\n  \"b\": 1,\n  \"a\": [\n    1,\n    2\n  ],\n  \"C\": \"x\"\n}"},
    {"{{ d|tojson(indent=0) }}", "{\n\"b\": 1,\n\"a\": [\n1,\n2\n],\n\"C\": \"x\"\n}"},
    {"{{ []|tojson(indent=2) }}", "[]"},
    {"{{ d|tojson(indent='--') }}",
     "{\n--\"b\": 1,\n--\"a\": [\n----1,\n----2\n--],\n--\"C\": \"x\"\n}"},
    {"{{ [[1],{'a':[2]}]|tojson(indent=4) }}",
     "[\n    [\n        1\n    ],\n    {\n        \"a\": [\n            2\n        ]\n    }\n]"},
    {"{{ d|tojson(separators=(',', ':')) }}", "{\"b\":1,\"a\":[1,2],\"C\":\"x\"}"},
    {"{{ d|tojson(indent=1, separators=(';', '=')) }}",
     "{\n \"b\"=1;\n \"a\"=[\n  1;\n  2\n ];\n \"C\"=\"x\"\n}"},
    {"{{ d|tojson(sort_keys=true) }}", "{\"C\": \"x\", \"a\": [1, 2], \"b\": 1}"},
    {"{{ u|tojson(ensure_ascii=true) }}", "\"\\u00dcn\\u00ef \\u6f22\\u5b57 \\ud83d\\ude42\""},
    {"{{ u|tojson(true) }}", "\"\\u00dcn\\u00ef \\u6f22\\u5b57 \\ud83d\\ude42\""},
    {"{{ {1:2, none:3, true:4, 2.5:5}|tojson }}", "{\"1\": 4, \"null\": 3, \"2.5\": 5}"},
    {"{{ 'nan'|float|tojson }}", "NaN"},
    {"{{ 'inf'|float|tojson }}", "Infinity"},
    {"{{ '-inf'|float|tojson }}", "-Infinity"},
    {"{{ '\\x00\\x1f\\x7f\\b\\f/\\u2028'|tojson }}", "\"\\u0000\\u001f\177\\b\\f/\342\200\250\""},
    {"{{ '</script>&\\''|tojson }}", "\"</script>&'\""},
    {"{{ undefinedvar|tojson }}", kFails},
    {"{{ d.items()|tojson }}", kFails},
    {"{{ range(3)|tojson }}", kFails},
    {"{{ d.missing|tojson }}", kFails},
    {"{{ namespace(a=1)|tojson }}", kFails},
    {"{{ l|map('string')|tojson }}", kFails},
    {"{{ {(1,2):3}|tojson }}", kFails},
    {"{{ {1:2,'a':3}|tojson(sort_keys=true) }}", kFails},
    {"{{ \"a/b — ü\"|tojson }}", "\"a/b — ü\""},
    {"{{ {\"b\":1,\"a\":[1,2]}|tojson }}", "{\"b\": 1, \"a\": [1, 2]}"},
    {"{{ '中文'|tojson }}", "\"中文\""},
    {"{{ 0.1|tojson }}", "0.1"},
    {"{{ 1e-7|tojson }}", "1e-07"},
    {"{{ 100000000000000000.0|tojson }}", "1e+17"},
    {"{{ -0.0|tojson }}", "-0.0"},
    {"{{ 5e-324|tojson }}", "5e-324"},
    {"{{ 1.7976931348623157e308|tojson }}", "1.7976931348623157e+308"},
    {"{{ l|tojson|length }}{{ l|tojson + 'x' }}", "9[3, 1, 2]x"},
};

/// JSON text read and written again.
std::string again(std::string_view json) {
    const auto value = jinja::from_json(json);
    REQUIRE_MESSAGE(value.has_value(), json);
    const auto rendered = render_case("{{ v | tojson }}", jinja::Value::dict({{"v", *value}}));
    REQUIRE(rendered.has_value());
    return rendered->text;
}

} // namespace

TEST_CASE("tojson: as json.dumps prints it") {
    check_cases(kToJson);
}

TEST_CASE("JSON text: what is read") {
    const std::pair<std::string_view, std::string_view> cases[] = {
        {R"( { "b" : 1 , "a" : [ true , null , false ] } )",
         R"({"b": 1, "a": [true, null, false]})"},
        {R"({"a": 1, "b": 2, "a": 3})", R"({"a": 3, "b": 2})"},
        {R"(["\u00e9\ud83d\ude42\n\/", ""])", R"(["é🙂\n/", ""])"},
        {R"(["\ud83d", "\ude42x", "\ud83d\u0041"])", "[\"\uFFFD\", \"\uFFFDx\", \"\uFFFDA\"]"},
        {"[0, -0, 1, -12, 9223372036854775807, -9223372036854775808]",
         "[0, 0, 1, -12, 9223372036854775807, -9223372036854775808]"},
        {"[9223372036854775808, 18446744073709551615]",
         "[9223372036854775808, 18446744073709551615]"},
        {"[1.0, 1.50, 1e2, 1E-7, -0.0, 1e400, -1e400, 1e-400]",
         "[1.0, 1.5, 100.0, 1e-07, -0.0, Infinity, -Infinity, 0.0]"},
        {"[[], {}, [[]]]", "[[], {}, [[]]]"},
    };
    for (const auto& [json, expected] : cases) {
        CHECK(again(json) == expected);
    }
}

TEST_CASE("JSON text: what is refused") {
    for (const std::string_view json :
         {"",          " ",     "{",        "[1,]",     "{\"a\":1,}", "{a:1}",   "{'a':1}",
          "{\"a\" 1}", "[1 2]", "01",       "+1",       "1.",         ".5",      "1e",
          "-",         "nul",   "NaN",      "Infinity", "\"a",        "\"\\q\"", "\"\\u12g4\"",
          "\"\\u12\"", "\"\\",  "\"a\nb\"", "[1] x",    "{\"a\":}",   "]",       "tru"}) {
        CAPTURE(json);
        const auto value = jinja::from_json(json);
        REQUIRE(!value.has_value());
        CHECK(value.error().code == ErrorCode::bad_argument);
        CHECK(value.error().message.starts_with("JSON, byte "));
    }
    CHECK(!jinja::from_json(std::string(100'000, '[')).has_value());
    CHECK(!jinja::from_json(std::string(102, '[') + std::string(102, ']')).has_value());
    CHECK(jinja::from_json(std::string(100, '[') + std::string(100, ']')).has_value());
}

TEST_CASE("JSON text: a large object is read in about linear time") {
    std::string json = "{";
    for (int i = 0; i < 100'000; ++i) {
        json += (i > 0 ? ",\"" : "\"") + std::to_string(i) + "\":" + std::to_string(i);
    }
    const auto value = jinja::from_json(json + "}");
    REQUIRE(value.has_value());
    const auto rendered = render_case("{{ v['77777'] }}", jinja::Value::dict({{"v", *value}}));
    REQUIRE(rendered.has_value());
    CHECK(rendered->text == "77777");
}
