// SPDX-License-Identifier: Apache-2.0
#include "app/cli/answer_printer.h"
#include "app/cli/chat_flags.h"
#include "app/cli/command.h"
#include "app/cli/interrupts.h"
#include "app/cli/json_output.h"
#include "app/cli/session.h"
#include "app/cli/terminal.h"

#include <CLI/App.hpp>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <optional>

namespace sotto::cli {
namespace {

struct GenerateFlags {
    ModelFlags model;
    SamplingParams sampling;
    std::optional<std::string> prompt, file, tokens_file, force_ids;
    std::string system;
    ChatFlags chat_flags;
    std::vector<std::string> stop;
    std::int64_t n = -1;
    bool chat = false, no_bos = false, parse_special = false, json = false, logits_hash = false,
         ignore_eos = false, show_thinking = false;

    void add_to(CLI::App& app) {
        model.add_to(app);
        CLI::Option* text = app.add_option("-p,--prompt", prompt, "the text to continue");
        CLI::Option* from_file =
            app.add_option("-f,--file", file, "take the prompt from a file; - is standard input")
                ->excludes(text);
        app.add_option("--tokens-file", tokens_file,
                       "take the prompt as token ids from a file or pipe")
            ->excludes(text)
            ->excludes(from_file);
        add_length_option(app, n);
        CLI::Option* as_chat =
            app.add_flag("--chat", chat, "wrap the prompt in the model's chat template");
        app.add_option("--system", system, "system message, with --chat")->needs(as_chat);
        chat_flags.add_think_to(app, as_chat);
        chat_flags.add_tools_to(app, as_chat);
        app.add_flag("--show-thinking", show_thinking,
                     "print thoughts on stderr even where it is no terminal")
            ->needs(as_chat);
        app.add_option("--stop", stop, "end before this text; may be repeated");
        app.add_option("--force-ids", force_ids,
                       "feed the token ids of a file or pipe as the answer and report what would "
                       "have been picked")
            ->type_name("FILE");
        app.add_flag("--ignore-eos", ignore_eos, "go on after an end-of-turn token");
        app.add_flag("--no-bos", no_bos, "add no begin token");
        app.add_flag("--parse-special", parse_special,
                     "text that spells a special token becomes it");
        CLI::Option* as_json = app.add_flag("--json", json, "print one JSON object");
        app.add_flag("--logits-hash", logits_hash,
                     "with --json: SHA-256 of the logits that tokens were picked from")
            ->needs(as_json);
        add_sampling_flags(app, sampling);
    }
};

Result<std::string> prompt_text(const GenerateFlags& flags) {
    const bool piped = !flags.prompt && !stdin_is_terminal();
    if (flags.file || piped) {
        return read_text(flags.file.value_or("-"));
    }
    return flags.prompt.value_or("");
}

Result<void> set_chat_prompt(const GenerateFlags& flags, const Model& model, std::string text,
                             RequestOptions& request) {
    auto options = flags.chat_flags.options();
    if (!options) {
        return std::move(options).error();
    }
    check_template(model.info(), options->enable_thinking);
    std::vector<ChatMessage> messages;
    if (!flags.system.empty()) {
        messages.push_back({.role = "system", .content = flags.system});
    }
    messages.push_back({.role = "user", .content = std::move(text)});
    std::string told;
    return set_prompt(model, messages, *options, request, told);
}

Result<void> set_prompt(const GenerateFlags& flags, const Model& model, RequestOptions& request) {
    if (flags.tokens_file) {
        auto ids = read_ids(*flags.tokens_file);
        if (!ids) {
            return std::move(ids).error();
        }
        request.prompt = *std::move(ids);
        return {};
    }
    auto text = prompt_text(flags);
    if (!text) {
        return std::move(text).error();
    }
    if (flags.chat) {
        return set_chat_prompt(flags, model, *std::move(text), request);
    }
    request.prompt = model.tokenize(*text, !flags.no_bos, flags.parse_special);
    return {};
}

void look_at(std::span<const float> logits, ForcedPicks& forced) {
    const auto best = std::ranges::max_element(logits);
    float second = -std::numeric_limits<float>::infinity();
    for (auto it = logits.begin(); it != logits.end(); ++it) {
        if (it != best) {
            second = std::max(second, *it);
        }
    }
    forced.picks.push_back(static_cast<TokenId>(best - logits.begin()));
    forced.margins.push_back(static_cast<double>(*best) - static_cast<double>(second));
}

int exit_code(const Outcome& outcome) {
    if (outcome.reason == FinishReason::error) {
        return fail(outcome.error);
    }
    return outcome.reason == FinishReason::cancelled ? interrupted_code() : kOk;
}

int generate(const GenerateFlags& flags, const Session& session) {
    RequestOptions request;
    if (auto done = set_prompt(flags, *session.model, request); !done) {
        return fail(done.error());
    }
    request.sampling = flags.sampling;
    request.max_tokens = flags.n;
    request.stop = flags.stop;
    request.stop_at_end_of_turn = !flags.ignore_eos;
    if (flags.force_ids) {
        auto ids = read_ids(*flags.force_ids);
        if (!ids) {
            return fail(ids.error());
        }
        if (ids->empty()) {
            return fail({ErrorCode::bad_argument, "'" + *flags.force_ids + "' holds no token ids"});
        }
        request.forced = *std::move(ids);
    }
    ForcedPicks picks;
    LogitsHash hash;
    const bool forced = !request.forced.empty();
    if (forced || flags.logits_hash) {
        request.on_logits = [&](Pos, std::span<const float> logits) {
            if (forced) {
                look_at(logits, picks);
            }
            if (flags.logits_hash) {
                hash.add(logits);
            }
        };
    }
    const std::vector<TokenId> prompt_ids = request.prompt;
    AnswerPrinter printer(flags.show_thinking);
    OnPiece print;
    if (!flags.json) {
        print = [&printer](const std::string& thinking, const std::string& text) {
            printer.print(thinking, text);
        };
    }
    const Outcome outcome = run_request(*session.engine, std::move(request), print);
    if (!flags.json) {
        printer.end(outcome.reason == FinishReason::error);
        if (stderr_is_terminal()) {
            std::fprintf(stderr, "[%s]\n", timings_text(outcome.timings).c_str());
        }
        return exit_code(outcome);
    }
    if (outcome.reason == FinishReason::error) {
        return exit_code(outcome);
    }
    print_json(outcome, prompt_ids, flags.logits_hash ? std::optional(hash.hex()) : std::nullopt,
               forced ? std::optional(std::move(picks)) : std::nullopt);
    return exit_code(outcome);
}

} // namespace

int run_generate(int argc, char** argv) {
    OptionSet options("generate", "Continue a prompt. Without --prompt, --file or --tokens-file a "
                                  "piped standard input is the prompt.");
    GenerateFlags flags;
    flags.add_to(options.app());
    if (const auto code = options.parse(argc, argv)) {
        return *code;
    }
    auto session = open_session(flags.model);
    if (!session) {
        return fail(session.error());
    }
    return generate(flags, *session);
}

} // namespace sotto::cli
