// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli/template_folder.h"

using namespace sotto::test;
using nlohmann::json;

namespace {

// Refuses in the words of the last message, so that what was sent can be read.
constexpr const char* kEcho = "{{ raise_exception('sent [' + messages[-1].content + ']') }}";

} // namespace

TEST_CASE("chat: a line that begins with / is a command only where it looks like one") {
    const TemplateFolder folder(kEcho);
    struct Row {
        std::string line;
        const char *says, *sent; // null: nothing
    };
    const Row rows[] = {
        {"/home/me is full", nullptr, "sent [/home/me is full]"},
        {"/etc", "there is no command '/etc'", nullptr},
        {"/rest now", "there is no command '/rest'", nullptr},
        {"/", nullptr, "sent [/]"},
        {"/ x", nullptr, "sent [/ x]"},
        {"/2 of it", nullptr, "sent [/2 of it]"},
        {"/Home", nullptr, "sent [/Home]"},
        {"//etc", nullptr, "sent [/etc]"},
        {"//home/me", nullptr, "sent [/home/me]"},
        {"///", nullptr, "sent [//]"},
        {"/think\tsideways", "/think takes on, off or auto", nullptr},
        {"/help", "//TEXT", nullptr},
        {"/" + std::string(5000, 'a'), "aaa...'", nullptr},
    };
    for (const Row& row : rows) {
        CAPTURE(row.line);
        const std::string lines = folder.write("lines", row.line + "\n");
        const Output out =
            shell("sotto-cli chat --model " + folder.model() + " <" + lines + " 2>&1");
        CAPTURE(out.text);
        CHECK(out.has(row.says ? row.says : row.sent));
        CHECK(out.has("sent [") == (row.sent != nullptr));
        CHECK_FALSE((row.sent && out.has("there is no command")));
        CHECK(out.text.size() < 1000);
    }
}

TEST_CASE("a context beyond the trained one is told of, wherever one is set") {
    const std::string model = tiny("qwen3/hub"); // 512 tokens
    const std::string lines[] = {"generate --prompt hi --n 1 --model " + model,
                                 "chat </dev/null --model " + model,
                                 "perplexity --file /dev/null --model " + model, "info " + model};
    for (const std::string& line : lines) {
        CAPTURE(line);
        CHECK(shell("sotto-cli " + line + " --ctx 513 2>&1 | tr -s ' \\n' ' '")
                  .has("513 tokens is longer than the 512 the model was trained with"));
        CHECK_FALSE(shell("sotto-cli " + line + " --ctx 512 2>&1").has("trained with"));
    }
    CHECK(run_json("sotto-cli info --json --ctx 600 " + model)["warnings"].size() ==
          run_json("sotto-cli info --json " + model)["warnings"].size() + 1);
}

TEST_CASE("that a model has no chat template is said where one is used, and by info") {
    const TempFolder folder;
    const std::string model = "'" + folder.file("hub") + "'";
    REQUIRE(shell("cp -r " + tiny("smollm3/hub") + " " + model).code == 0);
    REQUIRE(std::remove(folder.file("hub/chat_template.jinja").c_str()) == 0);
    const std::pair<std::string, bool> rows[] = {
        {"generate --prompt hi --n 1 --model " + model, false},
        {"generate --chat --prompt hi --n 1 --model " + model, true},
        {"tokenize --prompt hi --model " + model, false},
        {"perplexity --file /dev/null --model " + model, false},
        {"chat --n 1 --model " + model, true},
        {"render --messages - --model " + model, true},
        {"info --model " + model, true},
        {"info --json --model " + model, true}};
    for (const auto& row : rows) {
        const auto& line = row.first;
        const auto& told = row.second;
        CAPTURE(line);
        CHECK(shell("echo '[]' | sotto-cli " + line + " 2>&1 | tr -s ' \\n' ' '")
                  .has("has no chat template") == told);
    }
}

TEST_CASE("info: the parameters of a tiny model are counted in thousands") {
    const Output out = shell("sotto-cli info " + tiny("qwen3/hub"));
    CHECK(out.has(" thousand parameters"));
    CHECK_FALSE(out.has("0.0 "));
    CHECK(shell("sotto-cli info " + model()).has("134.5 million parameters"));
}
