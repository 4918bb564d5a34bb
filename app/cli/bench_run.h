// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/bench_plan.h"
#include "app/cli/session.h"

namespace sotto::cli {

/// One model on one engine. Every repetition of a test does the same work on other tokens; the
/// machine's limits are measured before each, so that a machine that gets slower hits both alike.
class BenchRun {
  public:
    /// `probe` may be null: then no limits are measured. `operations` is what the engine adds its
    /// steps to.
    BenchRun(const Session& session, MachineProbe* probe, OperationTotals& operations)
        : session_(session), probe_(probe), operations_(operations) {}

    /// Blocks. A first, unmeasured pass warms caches and threads. Errors: cancelled (Ctrl-C), those
    /// of requests.
    Result<BenchResult> run(const BenchTest& test, int n_repetitions);

  private:
    Result<double> tokens_per_s(const BenchTest& test, int repetition);
    Result<double> prefill(const BenchTest& test);
    Result<double> decode(const BenchTest& test, int repetition);
    Result<Timings> request(std::vector<TokenId> prompt, std::int64_t n_tokens);
    void measure_limits(BenchResult& result, const BenchTest& test, double rate,
                        const MachineLimits& limits) const;

    const Session& session_;
    MachineProbe* probe_;
    OperationTotals& operations_;
    int n_prompts_ = 0; // so far
};

} // namespace sotto::cli
