// SPDX-License-Identifier: Apache-2.0
#include "app/cli/chat_flags.h"

#include "app/cli/json_input.h"
#include "app/cli/session.h"

#include <CLI/App.hpp>
#include <CLI/Validators.hpp>

#include <cstdio>

namespace sotto::cli {

bool parse_think(const std::string& word, std::optional<bool>& think) {
    if (word == "auto") {
        think.reset();
    } else if (word == "on" || word == "off") {
        think = word == "on";
    } else {
        return false;
    }
    return true;
}

void ChatFlags::add_think_to(CLI::App& app, CLI::Option* needs) {
    auto* option =
        app.add_option("--think", think,
                       "whether the model thinks before it answers; auto: as its template has it");
    option->type_name("on|off|auto")->check([](const std::string& word) {
        std::optional<bool> ignored;
        return parse_think(word, ignored) ? std::string() : "'" + word + "' is not on, off or auto";
    });
    if (needs) {
        option->needs(needs);
    }
}

void ChatFlags::add_tools_to(CLI::App& app, CLI::Option* needs) {
    auto* option = app.add_option("--tools", tools_file,
                                  "tools the model may call: a JSON list of {\"type\": "
                                  "\"function\", \"function\": {name, description, parameters}}")
                       ->type_name("FILE");
    if (needs) {
        option->needs(needs);
    }
}

Result<ChatOptions> ChatFlags::options() const {
    ChatOptions options;
    parse_think(think, options.enable_thinking); // its word was checked
    if (!tools_file.empty()) {
        auto text = read_text(tools_file);
        if (!text) {
            return std::move(text).error();
        }
        if (auto good = check_tools(*text, tools_file); !good) {
            return std::move(good).error();
        }
        options.tools = *std::move(text);
    }
    return options;
}

void check_template(const ModelInfo& info, std::optional<bool> think) {
    if (!info.template_warning.empty()) {
        std::fprintf(stderr, "sotto-cli: %s\n", info.template_warning.c_str());
    }
    check_think(info, think);
}

bool check_think(const ModelInfo& info, std::optional<bool> think) {
    const bool can = !think || info.can_switch_thinking;
    if (!can) {
        std::fprintf(stderr,
                     "sotto-cli: the model's template does not switch thinking on or off; --think "
                     "%s changes nothing\n",
                     *think ? "on" : "off");
    }
    return can;
}

void add_context_full_option(CLI::App& app, ContextFull& policy) {
    app.add_option_function<std::string>(
           "--context-full",
           [&policy](const std::string& word) {
               policy = word == "drop" ? ContextFull::drop_turns : ContextFull::stop;
           },
           "what happens when the chat outgrows the context: stop, or drop the oldest turns "
           "(stop)")
        ->check(CLI::IsMember({"stop", "drop"}))
        ->type_name("stop|drop");
}

void take_chat(const Model& model, RenderedChat chat, RequestOptions& request, std::string& told) {
    if (!chat.notice.empty() && chat.notice != told) {
        told = chat.notice;
        std::fprintf(stderr, "sotto-cli: %s\n", told.c_str());
    }
    request.prompt = std::move(chat.tokens);
    request.thinking = model.info().thinking;
    request.thinking_open = chat.thinking_open;
}

Result<void> set_prompt(const Model& model, std::span<const ChatMessage> messages,
                        const ChatOptions& options, RequestOptions& request, std::string& told) {
    auto rendered = model.render_chat(messages, options);
    if (!rendered) {
        return std::move(rendered).error();
    }
    take_chat(model, *std::move(rendered), request, told);
    return {};
}

} // namespace sotto::cli
