// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"
#include "app/cli/json_output.h"
#include "app/cli/measurement.h"
#include "app/cli/perplexity_run.h"
#include "app/cli/shown_text.h"

#include <CLI/App.hpp>

#include <cstdio>

namespace sotto::cli {
namespace {

constexpr const char* kDescription =
    "Measure how well a model predicts a text. Windows of --ctx tokens follow each other; the "
    "second half of each is scored, the first half gives context. With --stride N they begin N "
    "tokens apart, and each token of the text is scored once, with the longest context there is: "
    "by the first window all but its first token, by later ones the last N. Where a model wants a "
    "begin token it takes the place of each window's first token.\n\nTo compare two quantisations "
    "of a model, save a run of one and measure the other with --kl.";

void print_text(const PerplexityReport& r, const WindowRule& rule) {
    std::printf("perplexity %.4f +- %.4f (%.5f nats a token, %lld tokens in %lld windows of %d",
                r.ppl, r.ppl_error, r.nll, static_cast<long long>(r.n_tokens),
                static_cast<long long>(r.n_windows), rule.n_ctx);
    std::printf(rule.stride > 0 ? ", %d apart)\n" : ")\n", rule.stride);
    if (!r.kl) {
        return;
    }
    const DivergenceReport& k = *r.kl;
    std::printf("\nKullback-Leibler divergence from %s, in nats\n", shown(k.base_model).c_str());
    std::printf("  mean              %.6f +- %.6f\n", k.mean, k.mean_error);
    std::printf("  median            %.6f\n", k.median);
    std::printf("  90, 95, 99 %%      %.6f, %.6f, %.6f\n", k.p90, k.p95, k.p99);
    std::printf("  largest           %.6f\n", k.max);
    std::printf("\nbeside it\n");
    std::printf("  same top token    %.3f +- %.3f %%\n", 100 * k.same_top, 100 * k.same_top_error);
    std::printf("  its perplexity    %.4f +- %.4f\n", k.base_ppl, k.base_ppl_error);
    std::printf("  ratio to it       %.6f +- %.6f\n", k.ppl_ratio, k.ppl_ratio_error);
}

int measure(const PerplexityFlags& flags, const Session& session, LogitRun& run,
            LogitReader* saved) {
    std::vector<Window> windows = plan_windows(run.rule, run.tokens.size(), flags.chunks);
    if (windows.empty()) {
        return fail({ErrorCode::bad_argument,
                     "the text has " + std::to_string(run.tokens.size()) +
                         " tokens; perplexity needs at least " +
                         std::to_string(run.rule.stride > 0 ? 2 : run.rule.n_ctx)});
    }
    run.tokens.resize(windows.back().begin + windows.back().size);
    run.n_scored = n_scored(windows);
    Measurement measurement(session, run, std::move(windows));
    std::unique_ptr<LogitWriter> writer;
    if (!flags.save_file.empty()) {
        auto created = LogitWriter::create(flags.save_file, run);
        if (!created) {
            return fail(created.error());
        }
        writer = *std::move(created);
        measurement.save_to(*writer);
    }
    if (saved) {
        measurement.compare_with(*saved);
    }
    auto done = measurement.run();
    if (done && writer) {
        done = writer->finish();
    }
    if (!done) {
        return fail(done.error());
    }
    const Score& score = measurement.score();
    PerplexityReport report{.ppl = score.ppl(),
                            .ppl_error = score.ppl_error(),
                            .nll = score.mean(),
                            .n_tokens = score.n(),
                            .n_windows = static_cast<std::int64_t>(measurement.n_windows()),
                            .kl = {}};
    if (saved) {
        report.kl = measurement.divergence().report(saved->run().model);
    }
    if (flags.json) {
        print_json(report);
    } else {
        print_text(report, run.rule);
    }
    return kOk;
}

} // namespace

int run_perplexity(int argc, char** argv) {
    OptionSet options("perplexity", kDescription);
    PerplexityFlags flags;
    flags.add_to(options.app());
    if (const auto code = options.parse(argc, argv)) {
        return *code;
    }
    if (!flags.has_text() && flags.kl_file.empty()) {
        print_error({ErrorCode::bad_argument, "perplexity needs a text file, or --tokens-file"});
        return kUsage;
    }
    std::unique_ptr<LogitReader> saved;
    if (!flags.kl_file.empty()) {
        auto opened = LogitReader::open(flags.kl_file);
        if (!opened) {
            return fail(opened.error());
        }
        saved = *std::move(opened);
    }
    auto rule = window_rule(flags, saved.get());
    if (!rule) {
        return fail(rule.error());
    }
    flags.model.engine.n_ctx = rule->n_ctx;
    auto session = open_session(flags.model);
    if (!session) {
        return fail(session.error());
    }
    auto run = describe_run(flags, *session->model, *rule, saved.get());
    if (!run) {
        return fail(run.error());
    }
    return measure(flags, *session, *run, saved.get());
}

} // namespace sotto::cli
