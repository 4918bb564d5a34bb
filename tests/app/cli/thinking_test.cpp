// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli/template_folder.h"

#include <algorithm>

using namespace sotto::test;
using nlohmann::json;

namespace {

constexpr const char* kSwitchable =
    "{% for m in messages %}<|im_start|>{{ m.role }} {{ m.content }}<|im_end|>{% endfor %}"
    "<|im_start|>assistant {% if enable_thinking is defined and not enable_thinking %}"
    "<think></think>{% endif %}";
constexpr const char* kOpen =
    "{% for m in messages %}<|im_start|>{{ m.content }}<|im_end|>{% endfor %}"
    "{# closed by </think> #}<think>";

/// "12 34 " of a text.
std::string ids_of(const std::string& model, const std::string& text) {
    const json tokens = run_json("sotto-cli tokenize --json --model " + model + " --prompt '" +
                                 text + "' 2>/dev/null");
    std::string ids;
    for (const json& id : tokens["ids"]) {
        ids += std::to_string(id.get<int>()) + " ";
    }
    return ids;
}

} // namespace

TEST_CASE("generate --chat keeps thoughts apart: answer on stdout, thoughts where asked for") {
    const TemplateFolder folder(kSwitchable);
    // <think> ab </think> cd
    const std::string force = folder.write("ids", "284 " + ids_of(folder.model(), "ab") + "285 " +
                                                      ids_of(folder.model(), "cd"));
    const std::string line =
        "sotto-cli generate --chat --prompt hi --force-ids " + force + " --model " + folder.model();
    CHECK(shell(line + " 2>/dev/null").text == "cd\n");
    CHECK_FALSE(shell(line + " 2>&1 >/dev/null").has("ab"));
    const Output shown = shell(line + " --show-thinking 2>&1 >/dev/null");
    CHECK(shown.has("ab\n"));
    CHECK_FALSE(shown.has("cd"));
    CHECK_FALSE(shown.has("\x1b")); // no terminal
    CHECK(shell(line + " --show-thinking 2>/dev/null").text == "cd\n");
    const json object = run_json(line + " --json 2>/dev/null");
    CHECK(object["text"] == "cd");
    CHECK(object["thinking"] == "ab");
    // Without --chat all is text.
    const json plain = run_json("sotto-cli generate --prompt hi --json --force-ids " + force +
                                " --model " + folder.model() + " 2>/dev/null");
    CHECK(plain["text"].get<std::string>().find("ab") != std::string::npos);
    CHECK_FALSE(plain.contains("thinking"));
}

TEST_CASE("--think reaches the template; one that does not heed it is told of") {
    const TemplateFolder folder(kSwitchable);
    const auto prompt = [&](const std::string& think) {
        return run_json("sotto-cli generate --chat --prompt hi --n 1 --json --model " +
                        folder.model() + think + " 2>/dev/null")["prompt_token_ids"];
    };
    const std::vector<int> off = prompt(" --think off");
    CHECK(std::ranges::count(off, 285) == 1);
    CHECK(prompt("") == prompt(" --think on"));
    CHECK(prompt("").size() == off.size() - 2);
    CHECK_FALSE(shell("sotto-cli generate --chat --prompt hi --n 1 --think off --model " +
                      folder.model() + " 2>&1")
                    .has("changes nothing"));
    CHECK(shell("sotto-cli generate --chat --prompt hi --n 1 --think off --model " +
                tiny("qwen3/hub") + " 2>&1")
              .has("--think off changes nothing"));
    CHECK(shell("sotto-cli generate --prompt hi --think off --model x 2>/dev/null").code == 2);
    CHECK(run_json("sotto-cli info --json " + folder.model())["can_switch_thinking"] == true);
    CHECK(run_json("sotto-cli info --json " + folder.model())["thinking"]["close"] == "</think>");
}

TEST_CASE("a thought that the prompt opened is one from its first word") {
    const TemplateFolder folder(kOpen);
    const std::string force =
        folder.write("ids", ids_of(folder.model(), "ab") + "285 " + ids_of(folder.model(), "cd"));
    const json object = run_json("sotto-cli generate --chat --prompt hi --json --force-ids " +
                                 force + " --model " + folder.model() + " 2>/dev/null");
    CHECK(object["thinking"] == "ab");
    CHECK(object["text"] == "cd");
}

TEST_CASE("chat: /think, thoughts on stderr, the answer alone on stdout") {
    const TemplateFolder folder(kOpen);
    const std::string chat =
        "printf 'one\\ntwo\\n/think off\\n/think sideways\\n' | sotto-cli chat "
        "--n 6 --temp 0 --model " +
        folder.model();
    // The model never closes its thought in six tokens: all it says is one.
    CHECK(shell(chat + " 2>/dev/null").text == "\n\n");
    const Output quiet = shell(chat + " 2>&1 >/dev/null"),
                 shown = shell(chat + " --show-thinking 2>&1 >/dev/null");
    CHECK(shown.text.size() > quiet.text.size() + 8);
    CHECK(quiet.has("changes nothing"));
    CHECK_FALSE(quiet.has("thinking: off")); // it would say the contrary
    const TemplateFolder can(kSwitchable);
    const Output off = shell("printf '/think \\toff \\n' | sotto-cli chat --model " + can.model() +
                             " 2>&1 >/dev/null");
    CHECK(off.has("thinking: off"));
    CHECK_FALSE(off.has("changes nothing"));
    CHECK(quiet.has("on, off or auto"));
}

TEST_CASE("chat: the next turn's template is told what was thought before") {
    const TemplateFolder folder("{% for m in messages %}{% if m.reasoning_content %}"
                                "{{ raise_exception('saw a thought') }}{% endif %}{% endfor %}"
                                "{# closed by </think> #}<think>");
    const auto chat = [&](const char* lines) {
        return shell(std::string("printf '") + lines +
                     "' | sotto-cli chat --n 6 --temp 0 --model " + folder.model() +
                     " 2>&1 >/dev/null");
    };
    CHECK_FALSE(chat("one\\n").has("saw a thought"));
    CHECK(chat("one\\ntwo\\n").has("saw a thought"));
}

TEST_CASE("tools reach the template; the notice of a template that failed is told once") {
    const TemplateFolder folder("<|im_start|>{{ messages[-1].content }}"
                                "{% if tools %}{{ tools[0].function.name }}{% endif %}");
    const std::string tools =
        folder.write("tools.json", R"([{"type": "function", "function": {"name": "xyzxyz"}}])");
    const std::string line = "sotto-cli generate --prompt hi --n 1 --model " + folder.model();
    const auto n_ids = [](const json& object) { return object["prompt_token_ids"].size(); };
    CHECK(n_ids(run_json(line + " --chat --json --tools " + tools + " 2>/dev/null")) >
          n_ids(run_json(line + " --chat --json 2>/dev/null")));
    CHECK(shell(line + " --tools " + tools + " 2>/dev/null").code == 2);
    const TemplateFolder fails("{{ messages | nonsense }}");
    const std::string text =
        shell("printf 'one\\ntwo\\n' | sotto-cli chat --n 1 --model " + fails.model() + " 2>&1")
            .text;
    const std::size_t first = text.find("template failed");
    CAPTURE(text);
    CHECK(first != std::string::npos);
    CHECK(text.find("template failed", first + 1) == std::string::npos);
}
