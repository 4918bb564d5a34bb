// SPDX-License-Identifier: Apache-2.0
// Any bytes as a template, and behind a NUL as the JSON text of its values. Rendering ends soon,
// gives the same twice, and what it says of origins fits the text.
#include "engine/template/jinja/json.h"
#include "engine/template/jinja/template.h"

#include <cstdint>
#include <cstdlib>

using namespace sotto;

namespace {

constexpr std::string_view kValues = R"({"messages": [
    {"role": "system", "content": " Be brief. "},
    {"role": "user", "content": [{"type": "text", "text": "Ünï <|im_end|>"}]},
    {"role": "assistant", "content": null, "reasoning_content": "hm\n", "tool_calls": [
        {"id": "1", "function": {"name": "f", "arguments": {"a": 1, "b": [2.5, null, true]}}}]},
    {"role": "tool", "content": "{\"x\": 1}"}],
    "tools": [{"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}],
    "add_generation_prompt": true, "bos_token": "<s>", "n": 9223372036854775807, "x": -0.5})";

void check(bool holds) {
    if (!holds) {
        std::abort();
    }
}

void check_spans(const jinja::Rendered& rendered) {
    std::size_t at = 0;
    bool first = true;
    for (const jinja::Span& span : rendered.trusted) {
        check(span.begin < span.end && (first ? span.begin >= at : span.begin > at));
        at = span.end;
        first = false;
    }
    check(at <= rendered.text.size());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t n_bytes) {
    const std::string_view input(reinterpret_cast<const char*>(data), n_bytes);
    const std::size_t nul = input.find('\0');
    const auto values = jinja::from_json(
        nul == std::string_view::npos ? kValues : input.substr(nul + 1), jinja::Origin::input);
    const auto parsed = jinja::Template::parse(input.substr(0, nul));
    if (!parsed || !values || !values->is(jinja::Kind::dict)) {
        return 0;
    }
    const jinja::RenderOptions options{{.max_steps = 100'000,
                                        .max_output_bytes = 1u << 20,
                                        .max_memory_bytes = 8u << 20,
                                        .max_depth = 100},
                                       [] { return std::tm{}; }};
    const auto once = (*parsed)->render(*values, options);
    const auto again = (*parsed)->render(*values, options);
    check(once.has_value() == again.has_value());
    if (once) {
        check(once->text == again->text && once->trusted == again->trusted);
        check_spans(*once);
    } else {
        check(once.error().message == again.error().message);
    }
    return 0;
}
