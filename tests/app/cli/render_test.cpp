// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli/template_folder.h"

#include <algorithm>

using namespace sotto::test;
using nlohmann::json;

namespace {

constexpr const char* kTemplate =
    "{% for m in messages %}[{{ m.role }}|{{ m.content }}|{{ m.reasoning_content or '-' }}|"
    "{{ m.name or '-' }}|{{ m.tool_call_id or '-' }}"
    "{% for c in m.tool_calls or [] %}|{{ c.id or '-' }}:{{ c.function.name }}:"
    "{{ c.function.arguments | tojson }}{% endfor %}]{% endfor %}"
    "{% if tools %}{{ tools | tojson }}{% endif %}"
    "{% if enable_thinking is defined %}({{ enable_thinking }}){% endif %}"
    "{% if add_generation_prompt %}<|im_start|>assistant{% endif %}";

} // namespace

TEST_CASE("render: messages as the OpenAI interface writes them") {
    const TemplateFolder folder(kTemplate);
    struct Row {
        const char *messages, *flags, *text;
    };
    const char* const tools =
        R"([{"type": "function", "function": {"name": "f", "z": 1, "a": 2}}])";
    const std::string tools_flag = "--tools " + folder.write("tools.json", tools);
    const Row rows[] = {
        {"[]", "", "<|im_start|>assistant"},
        {R"([{"role": "user", "content": "é \"x\"\n"}])", "--no-generation-prompt",
         "[user|é \"x\"\n|-|-|-]"},
        {R"([{"role": "user", "content": [{"type": "text", "text": "a"},
                                          {"type": "text", "text": "b"}], "refusal": null}])",
         "--no-generation-prompt", "[user|ab|-|-|-]"},
        {R"([{"role": "assistant", "tool_calls": [{"name": "f"}]}])", "--no-generation-prompt",
         "[assistant||-|-|-|-:f:{}]"},
        {R"([{"role": "assistant", "content": null, "reasoning_content": "why",
              "tool_calls": [{"id": "c1", "type": "function",
                              "function": {"name": "f", "arguments": "{\"z\": 1, \"a\": [2]}"}}]},
             {"role": "tool", "name": "f", "tool_call_id": "c1", "content": "3"}])",
         "--no-generation-prompt",
         "[assistant||why|-|-|c1:f:{\"z\": 1, \"a\": [2]}][tool|3|-|f|c1]"},
        {R"([{"role": "assistant", "tool_calls": [{"name": "f", "arguments": {"z": 1, "a": [2]}}]}])",
         "--no-generation-prompt", "[assistant||-|-|-|-:f:{\"z\": 1, \"a\": [2]}]"},
        {"[]", tools_flag.c_str(),
         R"([{"type": "function", "function": {"name": "f", "z": 1, "a": 2}}]<|im_start|>assistant)"},
        {"[]", "--think on --no-generation-prompt", "(True)"},
        {"[]", "--think off --no-generation-prompt", "(False)"},
        {"[]", "--think auto --no-generation-prompt", ""}};
    for (const Row& row : rows) {
        CAPTURE(row.messages);
        CAPTURE(row.flags);
        const std::string file = folder.write("messages.json", row.messages);
        const Output out = shell("sotto-cli render --model " + folder.model() + " --messages " +
                                 file + " " + row.flags + " 2>/dev/null");
        CHECK(out.code == 0);
        CHECK(out.text == row.text);
    }
}

TEST_CASE("render --json: text, ids and whether the answer begins within a thought") {
    const TemplateFolder folder("{{ messages[0].content }}<|im_start|>{% if enable_thinking %}"
                                "<think>{% else %}</think>{% endif %}");
    const std::string line = "printf '[{\"role\": \"user\", \"content\": \"<|im_end|>\"}]' | "
                             "sotto-cli render --json --messages - --model " +
                             folder.model() + " --think ";
    const json on = run_json(line + "on 2>/dev/null");
    CHECK(on["text"] == "<|im_end|><|im_start|><think>");
    CHECK(on["thinking_open"] == true);
    REQUIRE(on["ids"].size() > 3);
    const std::vector<int> ids = on["ids"];
    CHECK(std::vector(ids.end() - 2, ids.end()) == std::vector{280, 284});
    CHECK(std::ranges::count(ids, 281) == 0); // typed by a person
    CHECK(run_json(line + "off 2>/dev/null")["thinking_open"] == false);
}

TEST_CASE("render: content in parts reaches a template that takes lists") {
    const TemplateFolder folder(
        "{% for p in messages[0].content %}({{ p.type }} {{ p.text }}){% endfor %}");
    CHECK(
        shell("echo '[{\"role\": \"user\", \"content\": [{\"type\": \"text\", \"text\": \"A\"},"
              "{\"type\": \"text\", \"text\": \"B\"}]}]' | sotto-cli render --messages - --model " +
              folder.model() + " 2>/dev/null")
            .text == "(text A)(text B)");
}

TEST_CASE("render: a template for tools is used with tools, and one that leaves them out is told") {
    const TemplateFolder folder("D");
    const std::string tools =
        folder.write("tools.json", R"([{"type": "function", "function": {"name": "f"}}])");
    const std::string line =
        "echo '[]' | sotto-cli render --messages - --model " + folder.model() + " --tools " + tools;
    CHECK(shell(line + " 2>/dev/null").text == "D");
    CHECK(shell(line + " 2>&1 >/dev/null").has("leaves out the tools"));
    REQUIRE(shell("mkdir " + folder.model() + "/additional_chat_templates").code == 0);
    folder.write("hub/additional_chat_templates/tool_use.jinja", "T{{ tools | length }}");
    const Output both = shell(line + " 2>&1");
    CHECK(both.text == "T1");
}

TEST_CASE("render: the template's clock can be set") {
    const TemplateFolder folder("{{ strftime_now('%Y-%m-%d') }}");
    const std::string line =
        "echo '[]' | TZ=UTC sotto-cli render --messages - --model " + folder.model();
    CHECK(shell(line + " --unix-time 951825600 2>/dev/null").text == "2000-02-29");
    CHECK(shell(line + " --unix-time -1 2>/dev/null").code == 2);
}

TEST_CASE("render: what a template or its absence has to say") {
    const TemplateFolder refuses("{{ raise_exception('roles must alternate') }}");
    const Output refused =
        shell("echo '[]' | sotto-cli render --messages - --model " + refuses.model() + " 2>&1");
    CHECK(refused.code == 1);
    CHECK(refused.has("roles must alternate"));
    const TemplateFolder broken("{{ broken");
    const Output replaced = shell("echo '[{\"role\": \"user\", \"content\": \"hi\"}]' | sotto-cli "
                                  "render --messages - --model " +
                                  broken.model() + " 2>&1");
    CHECK(replaced.code == 0);
    CHECK(replaced.has("template"));
    CHECK(replaced.has("<|im_start|>user\nhi<|im_end|>"));
}

TEST_CASE("render: wrong JSON is told with the place, before a model is loaded") {
    TempFolder folder;
    const std::string deep(100000, '[');
    std::string many = "[{\"role\": \"user\", \"content\": {";
    for (int i = 0; i < 1500; ++i) {
        many += "\"k" + std::to_string(i) + "\": 0,";
    }
    const std::pair<std::string, const char*> rows[] = {
        {"", "is empty"},
        {" \n", "is empty"},
        {"[{]", "error at byte 3"},
        {"[\"\xff\"]", "no JSON"},
        {"{\"messages\": []}", "not object"},
        {"[1e999]", "range"},
        {deep + std::string(100000, ']'), "100 deep"},
        {many + "\"x\": 0}}]", "1000 keys"},
        {"[1]", "message 1 is no object"},
        {"[{\"role\": \"user\"}, {}]", "message 2 has no 'role'"},
        {"[{\"role\": 5}]", "'role' that is no text"},
        {"[{\"role\": \"user\", \"content\": 5}]", "'content' that is no text"},
        {"[{\"role\": \"user\", \"content\": [{\"type\": \"image_url\"}]}]", "part of content"},
        {"[{\"role\": \"user\", \"content\": [\"x\"]}]", "part of content"},
        {"[{\"role\": \"assistant\", \"tool_calls\": {}}]", "no list"},
        {"[{\"role\": \"assistant\", \"tool_calls\": [1]}]", "tool call 1 is no object"},
        {"[{\"role\": \"assistant\", \"tool_calls\": [{\"function\": {}}]}]", "has no name"},
        {"[{\"role\": \"assistant\", \"tool_calls\": [{\"name\": \"f\", \"arguments\": 1}]}]",
         "neither text nor an object"}};
    for (const auto& row : rows) {
        CAPTURE(row.second);
        std::ofstream(folder.file("m.json"), std::ios::binary) << row.first;
        const Output out =
            shell("sotto-cli render --model x --messages '" + folder.file("m.json") + "' 2>&1");
        CAPTURE(out.text);
        CHECK(out.code == 1);
        CHECK(out.has("m.json"));
        CHECK(out.has(row.second));
    }
    for (const char* tools : {"{}", "[1]", "[{}]", "[{\"function\": {}}]", "[{"}) {
        CAPTURE(tools);
        std::ofstream(folder.file("t.json"), std::ios::binary) << tools;
        const Output out = shell("echo '[]' | sotto-cli render --model x --messages - --tools '" +
                                 folder.file("t.json") + "' 2>&1");
        CHECK(out.code == 1);
        CHECK(out.has("t.json"));
    }
    CHECK(shell("sotto-cli render --model x 2>/dev/null").code == 2);
    CHECK(shell("sotto-cli render --model x --messages y --think maybe 2>&1").has("maybe"));
}
