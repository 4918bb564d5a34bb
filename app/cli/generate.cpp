// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"
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
    std::vector<std::string> stop;
    std::int64_t n = -1;
    bool chat = false, no_bos = false, parse_special = false, json = false, logits_hash = false,
         ignore_eos = false;

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

Result<std::vector<TokenId>> prompt_tokens(const GenerateFlags& flags, const Model& model) {
    if (flags.tokens_file) {
        return read_ids(*flags.tokens_file);
    }
    std::string text = flags.prompt.value_or("");
    const bool piped = !flags.prompt && !stdin_is_terminal();
    if (flags.file || piped) {
        auto read = read_text(flags.file.value_or("-"));
        if (!read) {
            return std::move(read).error();
        }
        text = *std::move(read);
    }
    if (!flags.chat) {
        return model.tokenize(text, !flags.no_bos, flags.parse_special);
    }
    std::vector<ChatMessage> messages;
    if (!flags.system.empty()) {
        messages.push_back({"system", flags.system});
    }
    messages.push_back({"user", text});
    auto rendered = model.render_chat(messages, true);
    if (!rendered) {
        return std::move(rendered).error();
    }
    return std::move(rendered->tokens);
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
    auto prompt = prompt_tokens(flags, *session.model);
    if (!prompt) {
        return fail(prompt.error());
    }
    RequestOptions request;
    request.prompt = *std::move(prompt);
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
    std::function<void(const std::string&)> print;
    if (!flags.json) {
        print = [](const std::string& text) {
            std::fwrite(text.data(), 1, text.size(), stdout);
            std::fflush(stdout);
        };
    }
    const Outcome outcome = run_request(*session.engine, std::move(request), print);
    if (!flags.json) {
        if (outcome.reason != FinishReason::error || !outcome.text.empty()) {
            std::puts("");
        }
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
