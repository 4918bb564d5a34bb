// SPDX-License-Identifier: Apache-2.0
#include "app/cli/bench_run.h"

#include "app/cli/command.h"

namespace sotto::cli {
namespace {

/// The same ids on every machine; the low ones, often special, are left out. Seeds that follow each
/// other differ in the first id, so that nothing of one prompt is reused for the next.
std::vector<TokenId> some_ids(int n, int n_vocab, int seed) {
    const int first = n_vocab > 600 ? 300 : 0;
    std::uint32_t state = 12345u + 7919u * static_cast<std::uint32_t>(seed);
    std::vector<TokenId> ids;
    for (int i = 0; i < n; ++i) {
        state = state * 1103515245u + 12345u;
        ids.push_back(first + static_cast<TokenId>((state >> 8) %
                                                   static_cast<std::uint32_t>(n_vocab - first)));
    }
    if (!ids.empty()) {
        ids.front() = first + seed % (n_vocab - first);
    }
    return ids;
}

Error unfinished(const Outcome& outcome) {
    if (outcome.reason == FinishReason::error) {
        return outcome.error;
    }
    if (outcome.reason == FinishReason::cancelled) {
        return {ErrorCode::cancelled, "interrupted"};
    }
    return {ErrorCode::internal,
            std::string("the run ended early: ") + finish_reason_name(outcome.reason)};
}

} // namespace

Result<BenchResult> BenchRun::run(const BenchTest& test, int n_repetitions) {
    BenchResult result;
    result.test = test.name();
    for (int i = 0; i <= n_repetitions; ++i) {
        const MachineLimits limits = probe_ && i > 0 ? probe_->measure() : MachineLimits{};
        if (i == 1) {
            operations_.clear(); // the first pass only warms
        }
        const auto rate = tokens_per_s(test, i);
        if (!rate) {
            return rate.error();
        }
        if (i > 0) {
            result.tokens_per_s.push_back(*rate);
            measure_limits(result, test, *rate, limits);
        }
    }
    result.operations = operations_.all();
    result.limits.read_gb_per_s /= n_repetitions;
    result.limits.products_giga_ops /= n_repetitions;
    return result;
}

void BenchRun::measure_limits(BenchResult& result, const BenchTest& test, double rate,
                              const MachineLimits& limits) const {
    if (!probe_) {
        return;
    }
    const ModelInfo& info = session_.model->info();
    const bool reads = test.kind == BenchTest::Kind::decode;
    const double per_token = reads ? static_cast<double>(info.bytes_per_token)
                                   : 2.0 * static_cast<double>(info.products_per_token);
    const double limit = reads ? limits.read_gb_per_s : limits.products_giga_ops;
    result.limit_share.push_back(rate * per_token * 1e-9 / limit);
    result.limits.read_gb_per_s += limits.read_gb_per_s;
    result.limits.products_giga_ops += limits.products_giga_ops;
}

Result<double> BenchRun::tokens_per_s(const BenchTest& test, int repetition) {
    return test.kind == BenchTest::Kind::prefill ? prefill(test) : decode(test, repetition);
}

/// The first `depth` tokens are kept from the pass before, or computed now; only what follows
/// counts.
Result<double> BenchRun::prefill(const BenchTest& test) {
    const int n_vocab = session_.model->info().n_vocab;
    std::vector<TokenId> prompt = some_ids(test.depth, n_vocab, 0);
    if (test.depth > 0) {
        if (auto done = request(prompt, 0); !done) {
            return done.error();
        }
    }
    const auto more = some_ids(test.n_tokens, n_vocab, ++n_prompts_);
    prompt.insert(prompt.end(), more.begin(), more.end());
    const auto timings = request(std::move(prompt), 0);
    if (!timings) {
        return timings.error();
    }
    if (timings->prefill_tokens != test.n_tokens) {
        return Error{ErrorCode::internal, test.name() + " computed " +
                                              std::to_string(timings->prefill_tokens) + " tokens"};
    }
    return timings->prefill_tokens_per_s;
}

Result<double> BenchRun::decode(const BenchTest& test, int repetition) {
    const int n_vocab = session_.model->info().n_vocab;
    const int seed = test.depth > 0 ? 0 : repetition; // a long prompt is computed once
    const auto timings =
        request(some_ids(std::max(test.depth, 1), n_vocab, seed), test.n_tokens + 1);
    if (!timings) {
        return timings.error();
    }
    return timings->decode_tokens_per_s;
}

Result<Timings> BenchRun::request(std::vector<TokenId> prompt, std::int64_t n_tokens) {
    RequestOptions options;
    options.prompt = std::move(prompt);
    options.max_tokens = n_tokens;
    options.stop_at_end_of_turn = false;
    options.sampling.temperature = 0;
    const Outcome outcome = run_request(*session_.engine, std::move(options), {});
    if (outcome.reason != FinishReason::length) {
        return unfinished(outcome);
    }
    return outcome.timings;
}

} // namespace sotto::cli
