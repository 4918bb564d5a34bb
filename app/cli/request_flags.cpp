// SPDX-License-Identifier: Apache-2.0
#include "app/cli/request_flags.h"

#include <CLI/App.hpp>

#include <utility>

namespace sotto::cli {

void RequestFlags::add_to(CLI::App& app, const char* json_help) {
    model.add_to(app);
    add_length_option(app, n);
    CLI::Option* as_chat =
        app.add_flag("--chat", chat, "wrap the prompt in the model's chat template");
    app.add_option("--system", system, "system message, with --chat")->needs(as_chat);
    chat_flags.add_think_to(app, as_chat);
    chat_flags.add_tools_to(app, as_chat);
    app.add_option("--stop", stop, "end before this text; may be repeated");
    app.add_flag("--ignore-eos", ignore_eos, "go on after an end-of-turn token");
    app.add_flag("--no-bos", no_bos, "add no begin token");
    app.add_flag("--parse-special", parse_special, "text that spells a special token becomes it");
    CLI::Option* as_json = app.add_flag("--json", json, json_help);
    app.add_flag("--logits-hash", logits_hash,
                 "with --json: SHA-256 of the logits that tokens were picked from")
        ->needs(as_json);
    add_sampling_flags(app, sampling);
}

Result<void> RequestMaker::prepare_chat() {
    if (!flags_.chat) {
        return {};
    }
    auto options = flags_.chat_flags.options();
    if (!options) {
        return std::move(options).error();
    }
    chat_options_ = *std::move(options);
    check_template(model_.info(), chat_options_.enable_thinking);
    return {};
}

Result<RequestOptions> RequestMaker::from_text(std::string text) {
    RequestOptions request = without_prompt();
    if (!flags_.chat) {
        request.prompt = model_.tokenize(text, !flags_.no_bos, flags_.parse_special);
    } else if (auto done = set_chat_prompt(std::move(text), request); !done) {
        return std::move(done).error();
    }
    return request;
}

RequestOptions RequestMaker::without_prompt() const {
    RequestOptions request;
    request.sampling = flags_.sampling;
    request.max_tokens = flags_.n;
    request.stop = flags_.stop;
    request.stop_at_end_of_turn = !flags_.ignore_eos;
    return request;
}

Result<void> RequestMaker::set_chat_prompt(std::string text, RequestOptions& request) {
    std::vector<ChatMessage> messages;
    if (!flags_.system.empty()) {
        messages.push_back({.role = "system", .content = flags_.system});
    }
    messages.push_back({.role = "user", .content = std::move(text)});
    return set_prompt(model_, messages, chat_options_, request, told_);
}

} // namespace sotto::cli
