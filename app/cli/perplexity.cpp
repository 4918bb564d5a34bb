// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"
#include "app/cli/json_output.h"
#include "app/cli/session.h"
#include "app/cli/terminal.h"

#include <CLI/App.hpp>

#include <cmath>
#include <cstdio>

namespace sotto::cli {
namespace {

constexpr int kWindow = 512;
constexpr int kFirstScored = kWindow / 2; // the first half only gives context

/// Sums over the scored positions, in nats.
struct Score {
    double sum = 0, sum_of_squares = 0;
    std::int64_t n = 0;

    void add(double nll) {
        sum += nll;
        sum_of_squares += nll * nll;
        ++n;
    }
    [[nodiscard]] double mean() const { return sum / static_cast<double>(n); }
    [[nodiscard]] double ppl() const { return std::exp(mean()); }
    /// Standard error of the mean, carried over to the perplexity.
    [[nodiscard]] double ppl_error() const {
        const double variance = sum_of_squares / static_cast<double>(n) - mean() * mean();
        return n > 1 && variance > 0 ? std::sqrt(variance / static_cast<double>(n - 1)) * ppl() : 0;
    }
};

/// Scores positions 256 to 510 of one window: each is the prediction of the token after it.
Outcome score_window(const Session& session, std::span<const TokenId> window, Score& score) {
    RequestOptions request;
    request.prompt.assign(window.begin(), window.end());
    if (session.model->adds_bos()) {
        request.prompt.front() = session.model->bos_token();
    }
    request.max_tokens = 0;
    request.score_begin = kFirstScored;
    request.score_end = kWindow - 1;
    request.on_logits = [&](Pos pos, std::span<const float> logits) {
        score.add(negative_log_prob(logits, window[static_cast<std::size_t>(pos) + 1]));
    };
    return run_request(*session.engine, std::move(request), {});
}

int perplexity(const Session& session, const std::vector<TokenId>& tokens, bool json) {
    const std::size_t n_windows = tokens.size() / kWindow;
    if (n_windows == 0) {
        return fail({ErrorCode::bad_argument, "the text has " + std::to_string(tokens.size()) +
                                                  " tokens; perplexity needs at least " +
                                                  std::to_string(kWindow)});
    }
    Score score;
    StatusLine status;
    for (std::size_t i = 0; i < n_windows; ++i) {
        const Outcome outcome =
            score_window(session, std::span(tokens).subspan(i * kWindow, kWindow), score);
        if (outcome.reason == FinishReason::error || outcome.reason == FinishReason::cancelled) {
            status.clear();
            return fail(outcome.reason == FinishReason::error
                            ? outcome.error
                            : Error{ErrorCode::cancelled, "interrupted"});
        }
        char text[100];
        std::snprintf(text, sizeof text, "window %zu of %zu: perplexity %.4f", i + 1, n_windows,
                      score.ppl());
        status.show(text);
    }
    status.clear();
    if (json) {
        print_json({score.ppl(), score.ppl_error(), score.mean(), score.n,
                    static_cast<std::int64_t>(n_windows)});
    } else {
        std::printf(
            "perplexity %.4f +- %.4f (%.5f nats a token, %lld tokens in %zu windows of %d)\n",
            score.ppl(), score.ppl_error(), score.mean(), static_cast<long long>(score.n),
            n_windows, kWindow);
    }
    return kOk;
}

} // namespace

int run_perplexity(int argc, char** argv) {
    OptionSet options("perplexity",
                      "Measure how well a model predicts a text, in windows of 512 tokens.");
    CLI::App& app = options.app();
    ModelFlags flags;
    std::string file, tokens_file;
    bool json = false;
    app.add_option("-m,--model", flags.path, "the model file")->required();
    auto* text_option = app.add_option("-f,--file,file", file, "the text; - is standard input");
    app.add_option("--tokens-file", tokens_file, "take token ids from a file or pipe instead")
        ->excludes(text_option);
    add_threads_option(app, flags.engine.n_threads);
    add_batch_option(app, flags.engine.n_batch);
    app.add_flag("--kv-f32", flags.cache_f32, "keep keys and values in 32 bits");
    app.add_flag("--json", json, "print one JSON object");
    if (const auto code = options.parse(argc, argv)) {
        return *code;
    }
    if (file.empty() && tokens_file.empty()) {
        print_error({ErrorCode::bad_argument, "perplexity needs a text file, or --tokens-file"});
        return kUsage;
    }
    flags.engine.n_ctx = kWindow;
    auto session = open_session(flags);
    if (!session) {
        return fail(session.error());
    }
    std::vector<TokenId> tokens;
    if (!tokens_file.empty()) {
        auto ids = read_ids(tokens_file);
        if (!ids) {
            return fail(ids.error());
        }
        tokens = *std::move(ids);
    } else {
        auto text = read_text(file);
        if (!text) {
            return fail(text.error());
        }
        tokens = session->model->tokenize(*text, true, false);
    }
    return perplexity(*session, tokens, json);
}

} // namespace sotto::cli
