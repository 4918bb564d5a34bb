// SPDX-License-Identifier: Apache-2.0
#include "app/cli/chat_flags.h"
#include "app/cli/command.h"
#include "app/cli/json_input.h"
#include "app/cli/json_output.h"
#include "app/cli/number_check.h"
#include "app/cli/session.h"
#include "app/cli/terminal.h"

#include <CLI/App.hpp>

#include <cstdio>

namespace sotto::cli {
namespace {

struct RenderFlags {
    std::string path, messages_file;
    ChatFlags chat;
    std::optional<std::int64_t> unix_time;
    bool no_generation_prompt = false, json = false;

    void add_to(CLI::App& app) {
        add_model_option(app, path);
        app.add_option("--messages", messages_file,
                       "a JSON list of {role, content, ...} as the OpenAI interface has them; - is "
                       "standard input")
            ->required()
            ->type_name("FILE");
        chat.add_tools_to(app);
        chat.add_think_to(app);
        app.add_flag("--no-generation-prompt", no_generation_prompt,
                     "do not open the assistant's turn at the end");
        app.add_option("--unix-time", unix_time,
                       "the time that templates are told, in seconds since 1970; else now")
            ->check(in_range<std::int64_t>(0, 253402300799)); // to the end of the year 9999
        app.add_flag("--json", json, "print one JSON object: text, ids and thinking_open");
    }
};

Result<RenderedChat> render(const RenderFlags& flags) {
    auto text = read_text(flags.messages_file);
    if (!text) {
        return std::move(text).error();
    }
    auto messages = parse_messages(*text, flags.messages_file);
    if (!messages) {
        return std::move(messages).error();
    }
    auto options = flags.chat.options();
    if (!options) {
        return std::move(options).error();
    }
    options->add_generation_prompt = !flags.no_generation_prompt;
    options->unix_time = flags.unix_time;
    auto model = load(flags.path, 0);
    if (!model) {
        return std::move(model).error();
    }
    check_template((*model)->info(), options->enable_thinking);
    return (*model)->render_chat(*messages, *options);
}

} // namespace

int run_render(int argc, char** argv) {
    OptionSet options("render", "Show the text that a model's chat template makes of a chat, to "
                                "the byte.");
    RenderFlags flags;
    flags.add_to(options.app());
    if (const auto code = options.parse(argc, argv)) {
        return *code;
    }
    auto chat = render(flags);
    if (!chat) {
        return fail(chat.error());
    }
    if (!chat->notice.empty()) {
        std::fprintf(stderr, "sotto-cli: %s\n", chat->notice.c_str());
    }
    if (flags.json) {
        print_json(*chat);
        return kOk;
    }
    std::fwrite(chat->text.data(), 1, chat->text.size(), stdout);
    if (stdout_is_terminal() && !chat->text.ends_with('\n')) {
        std::puts("");
    }
    return kOk;
}

} // namespace sotto::cli
