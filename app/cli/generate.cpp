// SPDX-License-Identifier: Apache-2.0
#include "app/cli/answer_printer.h"
#include "app/cli/command.h"
#include "app/cli/interrupts.h"
#include "app/cli/json_output.h"
#include "app/cli/request_flags.h"
#include "app/cli/saved_context.h"
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
    RequestFlags request;
    std::optional<std::string> prompt, file, tokens_file, force_ids;
    std::string kv_file;
    bool show_thinking = false;

    void add_to(CLI::App& app) {
        CLI::Option* text = app.add_option("-p,--prompt", prompt, "the text to continue");
        CLI::Option* from_file =
            app.add_option("-f,--file", file, "take the prompt from a file; - is standard input")
                ->excludes(text);
        app.add_option("--tokens-file", tokens_file,
                       "take the prompt as token ids from a file or pipe")
            ->excludes(text)
            ->excludes(from_file);
        request.add_to(app, "print one JSON object");
        add_kv_file_option(app, kv_file);
        app.add_flag("--show-thinking", show_thinking,
                     "print thoughts on stderr even where it is no terminal")
            ->needs(app.get_option("--chat"));
        app.add_option("--force-ids", force_ids,
                       "feed the token ids of a file or pipe as the answer and report what would "
                       "have been picked")
            ->type_name("FILE");
    }
};

Result<std::string> prompt_text(const GenerateFlags& flags) {
    const bool piped = !flags.prompt && !stdin_is_terminal();
    if (flags.file || piped) {
        return read_text(flags.file.value_or("-"));
    }
    return flags.prompt.value_or("");
}

Result<RequestOptions> make_request(const GenerateFlags& flags, const Model& model) {
    RequestMaker maker(flags.request, model);
    if (flags.tokens_file) {
        auto ids = read_ids(*flags.tokens_file);
        if (!ids) {
            return std::move(ids).error();
        }
        RequestOptions request = maker.without_prompt();
        request.prompt = *std::move(ids);
        return request;
    }
    auto text = prompt_text(flags);
    if (!text) {
        return std::move(text).error();
    }
    if (auto done = maker.prepare_chat(); !done) {
        return std::move(done).error();
    }
    return maker.from_text(*std::move(text));
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

int exit_code(const Outcome& outcome, bool saved) {
    if (outcome.reason == FinishReason::error) {
        return fail(outcome.error);
    }
    if (outcome.reason == FinishReason::cancelled) {
        return interrupted_code();
    }
    return saved ? kOk : kFailed;
}

int generate(const GenerateFlags& flags, const Session& session) {
    auto made = make_request(flags, *session.model);
    if (!made) {
        return fail(made.error());
    }
    RequestOptions& request = *made;
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
    if (forced || flags.request.logits_hash) {
        request.on_logits = [&](Pos, std::span<const float> logits) {
            if (forced) {
                look_at(logits, picks);
            }
            if (flags.request.logits_hash) {
                hash.add(logits);
            }
        };
    }
    const std::vector<TokenId> prompt_ids = request.prompt;
    restore_context(*session.engine, flags.kv_file);
    AnswerPrinter printer(flags.show_thinking);
    OnPiece print;
    if (!flags.request.json) {
        print = [&printer](const std::string& thinking, const std::string& text) {
            printer.print(thinking, text);
        };
    }
    const Outcome outcome = run_request(*session.engine, std::move(request), print);
    std::vector<TokenId> tokens = prompt_ids;
    tokens.insert(tokens.end(), outcome.token_ids.begin(), outcome.token_ids.end());
    const bool saved = save_context(*session.engine, tokens, flags.kv_file);
    if (!flags.request.json) {
        printer.end(outcome.reason == FinishReason::error);
        if (stderr_is_terminal()) {
            std::fprintf(stderr, "[%s]\n", timings_text(outcome.timings).c_str());
        }
        return exit_code(outcome, saved);
    }
    if (outcome.reason == FinishReason::error) {
        return exit_code(outcome, saved);
    }
    print_json(outcome, prompt_ids,
               flags.request.logits_hash ? std::optional(hash.hex()) : std::nullopt,
               forced ? std::optional(std::move(picks)) : std::nullopt);
    return exit_code(outcome, saved);
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
    auto session = open_session(flags.request.model);
    if (!session) {
        return fail(session.error());
    }
    return generate(flags, *session);
}

} // namespace sotto::cli
