// SPDX-License-Identifier: Apache-2.0
// Templates that would take for ever, all memory or the whole stack (case C15 and its kin).
#include "tests/engine/template/jinja_cases.h"
#include "tests/support/sanitized.h"

#include <chrono>
#include <thread>

#if defined(__unix__)
#include <pthread.h>
#endif

using namespace sotto;
using namespace sotto::test;

namespace {

std::string times(std::string_view text, std::size_t n) {
    std::string out;
    for (std::size_t i = 0; i < n; ++i) {
        out += text;
    }
    return out;
}

/// `build` done a hundred thousand times to the namespace ns, then `use`.
std::string grown(const std::string& build, const std::string& use = "") {
    return "{% set ns = namespace(x=[1], y=[1]) %}{% for i in range(100000) %}" + build +
           "{% endfor %}" + use;
}

/// `build` done so often that values hold each other as deeply as they may.
std::string shared(const std::string& use) {
    return "{% set ns = namespace(x=[1], y=[1]) %}{% for i in range(150) %}"
           "{% set ns.x = [ns.x, ns.x] %}{% set ns.y = [ns.y, ns.y] %}{% endfor %}" +
           use;
}

std::string many_names(int n) {
    std::string out;
    for (int i = 0; i < n; ++i) {
        out += "{% set v" + std::to_string(i) + " = 1 %}";
    }
    return out;
}

std::vector<std::string> never_ending() {
    return {
        "{{ range(1000000000) }}",
        "{% for i in range(100000) %}{% continue %}" + many_names(20'000) + "{% endfor %}",
        "{{ 'x' * 10**9 }}",
        "{{ [0] * 10**9 }}",
        "{{ 10 ** 10 ** 10 }}",
        "{{ 9.0 ** 9999 }}",
        "{% for i in range(100000) %}{% for j in range(100000) %}x{% endfor %}{% endfor %}",
        "{% set x = 'a' * 1000000 %}{{ x | replace('a', x) }}",
        grown("{% set ns.x = ns.x + ns.x %}"),
        grown("{% set ns.x = ns.x ~ ns.x %}"),
        grown("{% set ns.x = [ns.x] %}"),
        grown("{% set ns.x = joiner(ns.x) %}"),
        grown("{% set ns.x = cycler(ns.x) %}"),
        grown("{% set ns.x = [ns.x] | select %}"),
        grown("{% set ns.x = [ns.x.index] %}"),
        grown("{% set ns.x = dict(a=ns.x) %}"),
        shared("{{ ns.x }}"),
        shared("{{ ns.x == ns.y }}"),
        shared("{{ ns.x < ns.y }}"),
        shared("{{ ns.x | tojson }}"),
        shared("{{ ns.x | join }}"),
        "{{ [1] | batch(10**9, 'x') | list }}",
        "{{ [1] | slice(10**9) | list }}",
        "{{ 'a'.center(10**9) }}",
        "{{ '%999999999d' % 1 }}",
        "{{ '{:999999999}'.format(1) }}",
        "{{ '%.999999999f' % 1 }}",
        "{{ range(100000) | list | tojson(indent='x' * 1000) }}",
        "{{ range(100000) | join('x' * 10000) }}",
        "{% set a = 'a' * 1000000 %}{{ ([a] * 10000) | sort | length }}",
        "{{ ('&' * 10000000) | e }}",
        "{{ strftime_now('%c' * 1000000) }}",
        "{% set b = 'x' * 16000000 %}{% macro f() %}{{ b }}{{ f() }}{% endmacro %}{{ f() }}",
        "{% macro f(n) %}{{ f(n + 1) }}{{ f(n + 1) }}{% endmacro %}{{ f(0) }}",
    };
}

std::vector<std::string> too_deep() {
    return {
        "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}",
        "{% macro f(x) %}{% if true %}{% for i in [1] %}{{ f([f(x) + [1][0] | string, 1]) }}"
        "{% endfor %}{% endif %}{% endmacro %}{{ f('') }}",
        "{% macro f(a=f()) %}{% endmacro %}{{ f() }}",
        "{% macro f() %}{{ caller() }}{% endmacro %}{% macro g() %}{% call f() %}{{ g() }}"
        "{% endcall %}{% endmacro %}{{ g() }}",
        "{% for x in [1] recursive %}{{ loop([1]) }}{% endfor %}",
        "{% macro f() %}{% set x %}{% filter upper %}{% with %}{{ f() }}{% endwith %}"
        "{% endfilter %}{% endset %}{% endmacro %}{{ f() }}",
        "{% set ns = namespace() %}{% set ns.x = ns %}{{ ns }}",
        "{{ " + times("(", 50'000) + "1" + times(")", 50'000) + " }}",
        "{{ " + times("[", 50'000),
        "{{ " + times("{1:", 50'000),
        "{{ " + times("f(", 50'000),
        "{{ a" + times("[a", 50'000),
        "{{ " + times("not ", 50'000) + "1 }}",
        "{{ " + times("-", 50'000) + "1 }}",
        "{{ " + times("1 if 0 else ", 50'000) + "1 }}",
        "{{ 1" + times(" if 1", 50'000) + " }}",
        times("{% if 1 %}", 50'000),
        times("{% for a in b %}", 50'000),
        times("{% macro a() %}", 50'000),
        times("{% set x %}", 50'000),
    };
}

/// Long chains are no depth.
std::vector<std::string> long_but_flat() {
    return {
        "{{ 1" + times("+1", 50'000) + " }}",
        "{{ 1" + times("~1", 50'000) + " }}",
        "{{ 1" + times(" and 1", 50'000) + " }}",
        "{{ 1" + times(" == 1", 50'000) + " }}",
        "{{ 'a'" + times("|upper", 50'000) + " }}",
        "{{ 'a'" + times("[0]", 50'000) + " }}",
        "{{ [1" + times(",1", 50'000) + "] | length }}",
        "{% if 0 %}" + times("{% elif 0 %}", 50'000) + "{% endif %}",
        times("{{ 1 }}", 50'000),
        times("\n", 500'000),
        "a" + times(" ", 500'000) + "{%- if 1 %}{% endif %}",
    };
}

void run_all(bool must_work, const std::vector<std::string>& sources,
             const jinja::Limits& limits = {.max_steps = 3'000'000}) {
    const jinja::Value values = jinja::Value::dict({});
    for (const std::string& source : sources) {
        const auto begin = std::chrono::steady_clock::now();
        const auto rendered = render_case(source, values, limits);
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
        CAPTURE(source.substr(0, 200));
        CHECK(rendered.has_value() == must_work);
        CHECK(taken.count() < (kSanitized ? 60 : 5));
    }
}

/// In a thread of 512 KiB, as release builds must manage; others use more stack.
void on_small_stack(void (*body)()) {
#if defined(__unix__)
#if defined(__OPTIMIZE__)
    constexpr std::size_t kStack = (kSanitized ? 2048 : 512) * 1024;
#else
    constexpr std::size_t kStack = 4096 * 1024;
#endif
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, kStack);
    pthread_t thread;
    const auto start = [](void* f) -> void* {
        (*static_cast<void (**)()>(f))();
        return nullptr;
    };
    REQUIRE(pthread_create(&thread, &attributes, start, &body) == 0);
    pthread_join(thread, nullptr);
    pthread_attr_destroy(&attributes);
#else
    body();
#endif
}

} // namespace

TEST_CASE("hostile templates end with an error, soon") {
    on_small_stack([] { run_all(false, never_ending()); });
}

TEST_CASE("hostile templates: the default limits are reached soon, too") {
    run_all(false,
            {"{% for i in range(100000) %}{% for j in range(100000) %}x{% endfor %}{% endfor %}",
             "{% set ns = namespace(x={}) %}{% for i in range(100000) %}"
             "{% set ns.x = dict(ns.x, **{i | string: 1}) %}{% endfor %}",
             grown("{% set ns.x = ns.x + [i] %}")},
            {});
}

TEST_CASE("hostile templates: nesting ends before the stack does") {
    on_small_stack([] { run_all(false, too_deep()); });
}

TEST_CASE("long templates without nesting work") {
    on_small_stack([] { run_all(true, long_but_flat()); });
}

TEST_CASE("limits: steps, output, memory, source") {
    const jinja::Value values = jinja::Value::dict({});
    const auto fails_with = [&](std::string_view source, const jinja::Limits& limits) {
        const auto rendered = render_case(source, values, limits);
        REQUIRE(!rendered.has_value());
        return rendered.error().message;
    };
    const std::string_view loop = "{% for i in range(100) %}{{ 'x' * 10 }}{% endfor %}";
    jinja::Limits limits;
    limits.max_steps = 100;
    CHECK(fails_with(loop, limits) == "line 1: the template takes more than 100 steps");
    limits = {};
    limits.max_output_bytes = 500;
    CHECK(fails_with(loop, limits) == "line 1: the template makes a text longer than 500 bytes");
    limits = {};
    limits.max_memory_bytes = 2000;
    CHECK(fails_with("{{ range(1000) | list | length }}", limits) ==
          "line 1: the template needs more than 2000 bytes of memory");
    limits = {};
    limits.max_depth = 10;
    CHECK(fails_with("{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}", limits) ==
          "line 1: the template nests deeper than 10 levels");
    const auto long_source = jinja::Template::parse(std::string((1 << 20) + 1, 'x'));
    REQUIRE(!long_source.has_value());
    CHECK(long_source.error().message.find("1048577 bytes") != std::string::npos);
}

TEST_CASE("limits: memory that is free again does not count") {
    const auto rendered =
        render_case("{% for i in range(1000) %}{% set x = 'x' * 1000000 %}{% endfor %}{{ 'ok' }}",
                    jinja::Value::dict({}), {.max_steps = 100'000'000});
    REQUIRE_MESSAGE(rendered.has_value(), (rendered ? "" : rendered.error().message));
    CHECK(rendered->text == "ok");
}

TEST_CASE("values outlive the place they come from") {
    const Case cases[] = {
        {"{% set ns = namespace() %}{% macro f() %}{% set ns.c = caller %}{% endmacro %}"
         "{% for i in [1, 2] %}{% call f() %}{{ i }}{% endcall %}{% endfor %}{{ ns.c() }}",
         "2"},
        {"{% set ns = namespace() %}{% for i in [1, 2] %}{% macro f() %}{{ i }}{% endmacro %}"
         "{% set ns.f = f %}{% endfor %}{{ ns.f() }}",
         "2"},
        {"{% set ns = namespace() %}{% for i in [1] %}{% set ns.l = loop %}{% endfor %}"
         "{{ ns.l.nextitem is defined }}",
         "False"},
        {"{% set ns = namespace() %}{% set ns.x = [ns] %}{{ ns.x == [ns] }}", "True"},
        {"a{{ 'b\\x00' | length }}", "a2"},
    };
    check_cases(cases);
    CHECK(!render_case("{% set ns = namespace() %}{% for i in [1] %}{% set ns.l = loop %}"
                       "{% endfor %}{{ ns.l.changed(ns.l) }}",
                       jinja::Value::dict({}))
               .has_value());
    CHECK(!render_case("{% set ns = namespace() %}{% for i in [1] recursive %}{% set ns.l = loop %}"
                       "{% endfor %}{{ ns.l([1]) }}",
                       jinja::Value::dict({}))
               .has_value());
}

TEST_CASE("bytes that are no UTF-8 pass through") {
    const auto rendered =
        render_case("\xFF{{ s | upper }}{{ s[1] }}{{ s | length }}{{ s | tojson }}",
                    jinja::Value::dict({{"s", jinja::Value::string("a\xE6\x97z")}}));
    REQUIRE(rendered.has_value());
    CHECK(rendered->text == "\xFF"
                            "A\xE6\x97Z\xE6\x97"
                            "3\"a\xE6\x97z\"");
}
