// SPDX-License-Identifier: Apache-2.0
// The formats are those that the families' models were trained on; how they are written here is our
// own. Each takes any order of roles: a chat must go on.
#include "engine/template/built_in.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace sotto::chat {
namespace {

constexpr const char* kChatMl = R"({%- for m in messages -%}
{{ '<|im_start|>' + m.role + '\n' + m.content + '<|im_end|>\n' }}
{%- endfor -%}
{%- if add_generation_prompt -%}{{ '<|im_start|>assistant\n' }}{%- endif -%})";

constexpr const char* kLlama3 = R"({{- bos_token | default('<|begin_of_text|>') -}}
{%- for m in messages -%}
{{ '<|start_header_id|>' + m.role + '<|end_header_id|>\n\n' + (m.content | trim) + '<|eot_id|>' }}
{%- endfor -%}
{%- if add_generation_prompt -%}
{{ '<|start_header_id|>assistant<|end_header_id|>\n\n' }}
{%- endif -%})";

constexpr const char* kGemma = R"({{- bos_token | default('<bos>') -}}
{%- set ns = namespace(system='') -%}
{%- for m in messages -%}
{%- if m.role == 'system' -%}
{%- set ns.system = ns.system + m.content + '\n\n' -%}
{%- else -%}
{{ '<start_of_turn>' + ('model' if m.role == 'assistant' else 'user') + '\n' }}
{{- ns.system if m.role == 'user' -}}{{ m.content | trim }}{{ '<end_of_turn>\n' }}
{%- if m.role == 'user' -%}{%- set ns.system = '' -%}{%- endif -%}
{%- endif -%}
{%- endfor -%}
{%- if add_generation_prompt -%}{{ '<start_of_turn>model\n' }}{%- endif -%})";

// Llama 2's and Mistral's: both write [INST], Llama 2 wraps the system message.
constexpr const char* kInst = R"({{- bos_token | default('<s>') -}}
{%- set ns = namespace(system='') -%}
{%- for m in messages -%}
{%- if m.role == 'system' -%}
{%- set ns.system = ns.system + m.content + '\n\n' -%}
{%- elif m.role == 'assistant' -%}
{{ ' ' + m.content | trim }}{{ eos_token | default('</s>') }}
{%- else -%}
{{ '[INST] ' }}{{ ns.system + m.content | trim }}{{ ' [/INST]' }}{%- set ns.system = '' -%}
{%- endif -%}
{%- endfor -%})";

struct Family {
    BuiltIn built_in;
    std::initializer_list<std::string_view> marks; // all of them are in its vocabularies
    bool marks_are_text = false;                   // Llama 2 has no tokens for them
};

const Family kFamilies[] = {
    {{"ChatML", kChatMl}, {"<|im_start|>", "<|im_end|>"}},
    {{"Llama 3", kLlama3}, {"<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"}},
    {{"Gemma", kGemma}, {"<start_of_turn>", "<end_of_turn>"}},
    {{"Mistral", kInst}, {"[INST]", "[/INST]"}, true},
};

} // namespace

const BuiltIn* find_built_in(const tokenizer::Tokenizer& tokenizer, std::string_view own_source) {
    for (const Family& family : kFamilies) {
        const auto is_known = [&](std::string_view mark) {
            return tokenizer.find(mark) >= 0 ||
                   (family.marks_are_text && own_source.find(mark) != std::string_view::npos);
        };
        if (std::ranges::all_of(family.marks, is_known)) {
            return &family.built_in;
        }
    }
    return nullptr;
}

} // namespace sotto::chat
