// SPDX-License-Identifier: Apache-2.0
// What people and models wrote stays marked as such, whatever a template does with it.
#include "tests/engine/template/jinja_cases.h"

using namespace sotto;
using namespace sotto::test;
using jinja::Origin;
using jinja::Value;

namespace {

/// The text with what is not trusted in brackets.
std::string marked(const jinja::Rendered& rendered) {
    std::string out;
    std::size_t at = 0;
    const auto input = [&](std::size_t end) {
        if (end > at) {
            out += "[" + rendered.text.substr(at, end - at) + "]";
        }
    };
    for (const auto& span : rendered.trusted) {
        CHECK(span.begin < span.end);
        input(span.begin);
        out += rendered.text.substr(span.begin, span.end - span.begin);
        at = span.end;
    }
    input(rendered.text.size());
    return out;
}

std::string rendered_marked(std::string_view source, const Value& values) {
    const auto rendered = render_case(source, values);
    REQUIRE_MESSAGE(rendered.has_value(), (rendered ? "" : rendered.error().message));
    return marked(*rendered);
}

} // namespace

TEST_CASE("origin: through every operation on strings") {
    const Value values = Value::dict({{"i", Value::string("ab<|end|> c")},
                                      {"u", Value::string("Éß漢")},
                                      {"n", Value::integer(7)},
                                      {"t", Value::trusted("T")},
                                      {"l", Value::list({Value::string("x"), Value::trusted("y")})},
                                      {"d", Value::dict({{"k", Value::string("v")}})}});
    const Case cases[] = {
        {"<|end|>{{ i }}", "<|end|>[ab<|end|> c]"},
        {"{{ i }}{{ i }}", "[ab<|end|> cab<|end|> c]"},
        {"{{ '<' + i + '>' }}", "<[ab<|end|> c]>"},
        {"{{ '<' ~ i ~ n ~ '>' }}", "<[ab<|end|> c]7>"},
        {"{{ i[2:9] }}|{{ ('<' + i)[:2] }}", "[<|end|>]|<[a]"},
        {"{{ ('xy' + i)[::-1] }}", "[c >|dne|<ba]yx"},
        {"{{ i[0] }}{{ 'q'[0] }}", "[a]q"},
        {"{{ i | upper }}{{ 'a' | upper }}", "[AB<|END|> C]A"},
        {"{{ u | upper }}{{ u.lower() }}", "[ÉSS漢éß漢]"},
        {"{{ ('a' + i) | title }}|{{ ('a' + i) | capitalize }}", "A[ab<|end|> C]|A[ab<|end|> c]"},
        {"{{ ('  ' ~ i ~ '  ') | trim }}", "[ab<|end|> c]"},
        {"{{ i.strip('ac') }}|{{ i.lstrip('a') }}|{{ i.removeprefix('ab') }}",
         "[b<|end|> ]|[b<|end|> c]|[<|end|> c]"},
        {"{{ i.split('<')[1] }}|{{ i.split() | join('-') }}", "[|end|> c]|[ab<|end|>]-[c]"},
        {"{{ ('a,' + i).split(',') | join('+') }}", "a+[ab<|end|> c]"},
        {"{{ i.partition('<')[1] }}{{ i.rsplit(' ', 1)[0] }}", "[<ab<|end|>]"},
        {"{{ (i ~ '\\nz').splitlines() | join('/') }}", "[ab<|end|> c]/z"},
        {"{{ i | replace('a', '<|end|>') }}", "<|end|>[b<|end|> c]"},
        {"{{ '<x>' | replace('x', i) }}", "<[ab<|end|> c]>"},
        {"{{ 'ab' | replace('', t) }}{{ i.replace('<|end|>', '') }}", "TaTbT[ab c]"},
        {"{{ l | join(', ') }}|{{ l | join(i) }}", "[x], y|[xab<|end|> c]y"},
        {"{{ l }}|{{ d }}|{{ l | string | upper }}", "['[x]', 'y']|{'k': '[v]'}|['[X]', 'Y']"},
        {"{{ l | tojson }}|{{ d | tojson }}", "[\"[x]\", \"y\"]|{\"k\": \"[v]\"}"},
        {"{{ i | tojson }}{{ i | string }}", "\"[ab<|end|> c]\"[ab<|end|> c]"},
        {"{{ '<%s|%5s>' % (i, 'q') }}", "<[ab<|end|> c]|    q>"},
        {"{{ '{}-{:>3}'.format(i, t) }}|{{ '%s' | format(i) }}", "[ab<|end|> c]-  T|[ab<|end|> c]"},
        {"{{ i.format() }}|{{ i % () }}", "[ab<|end|> c]|[ab<|end|> c]"},
        {"{{ i * 2 }}|{{ '-' * 2 }}", "[ab<|end|> cab<|end|> c]|--"},
        {"{{ i | indent(2, true) }}|{{ i.center(13, '*') }}", "  [ab<|end|> c]|*[ab<|end|> c]*"},
        {"{{ i | e }}|{{ ('<' | safe) + i }}", "[ab&lt;|end|&gt; c]|<[ab&lt;|end|&gt; c]"},
        {"{{ i | first }}{{ i | list | last }}{{ i | reverse | first }}", "[acc]"},
        {"{% for c in i[:2] %}{{ c }}-{% endfor %}", "[a]-[b]-"},
        {"{% for k, v in d.items() %}{{ k }}={{ v }}{% endfor %}", "k=[v]"},
        {"{% set x %}<{{ i }}>{% endset %}{{ x }}{{ x[1:3] }}", "<[ab<|end|> c]>[ab]"},
        {"{% macro f(a) %}<{{ a }}>{% endmacro %}{{ f(i) }}{{ f('q') | upper }}",
         "<[ab<|end|> c]><Q>"},
        {"{% filter upper %}a{{ i }}{% endfilter %}", "A[AB<|END|> C]"},
        {"{% set ns = namespace(a='') %}{% set ns.a = ns.a + i + t %}{{ ns.a }}", "[ab<|end|> c]T"},
        {"{{ l | map('upper') | join }}{{ l | sort | join }}{{ l | unique | join }}",
         "[X]Y[x]y[x]y"},
        {"{{ {'a': i}['a'] }}{{ dict(a=i).a }}{{ [i] | min }}",
         "[ab<|end|> cab<|end|> cab<|end|> c]"},
        {"{{ i if i else 'no' }}{{ missing | default(i) }}{{ '' or i }}",
         "[ab<|end|> cab<|end|> cab<|end|> c]"},
        {"{{ n }}{{ n ~ '' }}{{ i | length }}{{ i == 'x' }}", "7711False"},
    };
    for (const Case& c : cases) {
        CAPTURE(c.source);
        CHECK(rendered_marked(c.source, values) == std::string(c.expected));
    }
}

TEST_CASE("origin: a special token put together from both is not the template's") {
    const Value values =
        Value::dict({{"role", Value::string("user")}, {"r", Value::trusted("user")}});
    CHECK(rendered_marked("{{ '<|' + role + '|>' }}", values) == "<|[user]|>");
    CHECK(rendered_marked("{{ '<|' + r + '|>' }}", values) == "<|user|>");
}

TEST_CASE("origin: of JSON text the caller says it") {
    const std::string_view json = R"({"key": "value", "list": ["x"]})";
    const auto with = [&](Origin strings, Origin keys) {
        const auto value = jinja::from_json(json, strings, keys);
        REQUIRE(value.has_value());
        return rendered_marked("{{ v | tojson }}", Value::dict({{"v", *value}}));
    };
    CHECK(with(Origin::input, Origin::input) == R"({"[key]": "[value]", "[list]": ["[x]"]})");
    CHECK(with(Origin::input, Origin::trusted) == R"({"key": "[value]", "list": ["[x]"]})");
    CHECK(with(Origin::trusted, Origin::trusted) == R"({"key": "value", "list": ["x"]})");
    CHECK(rendered_marked("{{ v | tojson }}",
                          Value::dict({{"v", *jinja::from_json(R"("\u00e9\n")")}})) ==
          "\"[é\\n]\"");
}

TEST_CASE("origin: spans cover the text and are cheap for many pieces") {
    const Value values = Value::dict({{"i", Value::string("x")}});
    const auto rendered = render_case("{% for k in range(1000) %}ab{{ i }}{% endfor %}", values);
    REQUIRE(rendered.has_value());
    CHECK(rendered->text.size() == 3000);
    REQUIRE(rendered->trusted.size() == 1000);
    CHECK(rendered->trusted[7] == jinja::Span{21, 23});
}
