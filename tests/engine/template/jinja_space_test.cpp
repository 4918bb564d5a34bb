// SPDX-License-Identifier: Apache-2.0
// White space around tags (cases C13). What is expected is what jinja2 3.1.6 gives, set up as in
// tests/reference/render_templates.py.
#include "tests/engine/template/jinja_cases.h"

using namespace sotto::test;

namespace {

constexpr Case kSpace[] = {
    {"{% if true %}\n  a\n{% endif %}\nb", "  a\nb"},
    {"a\n  {% if true %}\n  b\n  {% endif %}\nc", "a\n  b\nc"},
    {"a\n  {{ 1 }}\n  b", "a\n  1\n  b"},
    {"a  {%- if true -%}  b  {%- endif -%}  c", "abc"},
    {"a\n\n  {%- if true %}\n\n  b\n{%- endif %}\n\nc", "a\n  b\nc"},
    {"a\n  {%+ if true %}\n b{% endif +%}\nc", "a\n   b\nc"},
    {"a {{- 1 -}} b", "a1b"},
    {"a\n {{- 1 -}} \n b", "a1b"},
    {"a\n  {# c #}\nb", "a\nb"},
    {"a\n  {#- c -#}\n\nb", "ab"},
    {"  {% if true %}x{% endif %}", "x"},
    {"\t{% set x = 1 %}\n\t{{ x }}\n", "\t1"},
    {"x {% set y = 1 %}\ny", "x y"},
    {"{% for i in [1,2] %}\n  {{ i }}\n{% endfor %}\n", "  1\n  2\n"},
    {"{% for i in [1,2] -%}\n  {{ i }}\n{%- endfor %}\n\n", "12"},
    {"{{ 1 }}\n", "1"},
    {"{{ 1 }}\n\n", "1\n"},
    {"a\r\nb\r{{ 1 }}\r\n", "a\nb\n1"},
    {"  {% raw %}\n  x\n  {% endraw %}\n  y", "\n  x\n  y"},
    {"{%- raw %}\n  x\n{%- endraw %}\n  y", "\n  x  y"},
    {"{% raw -%}\n  x\n  {%- endraw -%}\n  y", "xy"},
    {"a {#c#}\n b", "a  b"},
    {"a\n{#c#}{% if true %}\nb{% endif %}", "a\nb"},
    {"a{% if true %} {% endif %}\n\n{% if true %}\n{% endif %}z", "a \nz"},
    {"{{ 'a' }} {% if true %}  \n{% endif %}z", "a   \nz"},
    {"{{ 1 }}  {% if true %}b{% endif %}", "1  b"},
    {"\302\240 {% if true %}b{% endif %}\343\200\200{%- if true %}c{% endif %}", "bc"},
    {"\n\n{% set a = 1 %}\n\n{{ a }}", "\n\n\n1"},
    {"{%- set a = 1 -%}\n\n{{ a }}", "1"},
    {"{% macro f() %}\n  x\n{% endmacro %}\n[{{ f() }}]", "[  x\n]"},
    {"{% if true %}{% endif %}\n{% if true %}{% endif %}\n", ""},
    {"{{-1}}|{{- 1}}|{{+1}}|{{ -1 }}", "1|1|1|-1"},
    {"{%if true%}x{%endif%}|{{1}}|{#c#}|{%-if true-%} y {%-endif-%}", "x|1||y"},
    {" {%- if true +%}\n a{% endif %}", "\n a"},
    {"a {{ \"\r\n\" }} b\r\n", "a \n b"},
};

} // namespace

TEST_CASE("white space: trim_blocks, lstrip_blocks, - and +") {
    check_cases(kSpace);
}
