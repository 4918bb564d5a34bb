// SPDX-License-Identifier: Apache-2.0
#include "app/cli/perplexity_run.h"

#include "app/cli/number_check.h"
#include "app/cli/session.h"

#include <CLI/App.hpp>

#include <algorithm>

namespace sotto::cli {
namespace {

Error wrong(const std::string& message) {
    return {ErrorCode::bad_argument, message};
}

Result<std::vector<TokenId>> read_tokens(const PerplexityFlags& flags, const Model& model) {
    if (!flags.tokens_file.empty()) {
        return read_ids(flags.tokens_file);
    }
    auto text = read_text(flags.file);
    if (!text) {
        return std::move(text).error();
    }
    return model.tokenize(*text, true, false);
}

/// Whether the saved run can be set beside one of this model.
Result<void> check_model(const LogitRun& saved, const LogitRun& here, const std::string& file) {
    if (saved.n_vocab != here.n_vocab) {
        return wrong("'" + file + "' was saved with a vocabulary of " +
                     std::to_string(saved.n_vocab) + " tokens, this model has " +
                     std::to_string(here.n_vocab));
    }
    if (saved.vocabulary != here.vocabulary) {
        return wrong("'" + file + "' was saved with another vocabulary of " +
                     std::to_string(saved.n_vocab) + " tokens");
    }
    if (saved.bos != here.bos) {
        return wrong("'" + file + "' was saved with begin token " + std::to_string(saved.bos) +
                     ", this model has " + std::to_string(here.bos) + " (-1: none)");
    }
    return {};
}

Result<void> set_tokens(const PerplexityFlags& flags, const Model& model, const LogitReader* saved,
                        LogitRun& run) {
    if (!flags.has_text()) {
        run.tokens = saved->run().tokens;
        return {};
    }
    auto tokens = read_tokens(flags, model);
    if (!tokens) {
        return std::move(tokens).error();
    }
    run.tokens = *std::move(tokens);
    if (saved) {
        const auto& known = saved->run().tokens;
        const auto end = std::ranges::mismatch(known, run.tokens).in1;
        if (end != known.end()) {
            return wrong("'" + flags.kl_file + "' was saved with another text: token " +
                         std::to_string(end - known.begin()) + " differs");
        }
        run.tokens = known;
    }
    return {};
}

} // namespace

void PerplexityFlags::add_to(CLI::App& app) {
    app.add_option("-m,--model", model.path, "a GGUF file, or a folder with config.json")
        ->required();
    auto* text = app.add_option("-f,--file,file", file, "the text; - is standard input");
    app.add_option("--tokens-file", tokens_file, "take token ids from a file or pipe instead")
        ->excludes(text);
    app.add_option("--ctx", n_ctx, "tokens of a window (512)")->check(in_range(4, 1 << 30));
    app.add_option("--stride", stride, "slide windows by this many tokens; 0: halves (0)")
        ->check(in_range(0, 1 << 30));
    app.add_option("--chunks", chunks, "windows at most; 0: all")
        ->check(in_range<std::int64_t>(0, 1 << 30));
    auto* save = app.add_option("--save-logits", save_file,
                                "keep the log-probabilities of this run: 2 bytes for each "
                                "scored token and vocabulary entry");
    app.add_option("--kl", kl_file,
                   "compare with a run that --save-logits kept: Kullback-Leibler divergence "
                   "from it; the text may be left out")
        ->excludes(save);
    add_threads_option(app, model.engine.n_threads);
    add_batch_option(app, model.engine.n_batch);
    add_cache_option(app, model.engine.cache_type);
    app.add_flag("--json", json, "print one JSON object");
}

Result<WindowRule> window_rule(const PerplexityFlags& flags, const LogitReader* saved) {
    WindowRule rule = saved ? saved->run().rule : WindowRule{};
    const WindowRule known = rule;
    rule.n_ctx = flags.n_ctx > 0 ? flags.n_ctx : rule.n_ctx;
    rule.stride = flags.stride >= 0 ? flags.stride : rule.stride;
    if (rule.stride >= rule.n_ctx) {
        return wrong("--stride " + std::to_string(rule.stride) + " must be below --ctx " +
                     std::to_string(rule.n_ctx));
    }
    if (saved && rule != known) {
        return wrong("'" + flags.kl_file + "' was saved with --ctx " + std::to_string(known.n_ctx) +
                     " --stride " + std::to_string(known.stride));
    }
    return rule;
}

Result<LogitRun> describe_run(const PerplexityFlags& flags, const Model& model,
                              const WindowRule& rule, const LogitReader* saved) {
    LogitRun run{.model = model.info().name + " " + model.info().quantization,
                 .n_vocab = model.info().n_vocab,
                 .vocabulary = vocabulary_hash(model),
                 .bos = model.adds_bos() ? model.bos_token() : -1,
                 .rule = rule,
                 .tokens = {},
                 .n_scored = 0};
    if (saved) {
        if (auto fits = check_model(saved->run(), run, flags.kl_file); !fits) {
            return std::move(fits).error();
        }
    }
    if (auto done = set_tokens(flags, model, saved, run); !done) {
        return std::move(done).error();
    }
    return run;
}

} // namespace sotto::cli
