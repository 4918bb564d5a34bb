// SPDX-License-Identifier: Apache-2.0
// What `sotto-cli bench` measures, and what comes out.
#pragma once

#include "app/cli/operation_totals.h"
#include "engine/engine.h"

#include <string>
#include <vector>

namespace sotto::cli {

/// One figure: "pp512" reads 512 tokens of a prompt, "tg128" writes 128 tokens one by one, either
/// after `depth` tokens that are there already ("pp512@d4096").
struct BenchTest {
    enum class Kind { prefill, decode };
    Kind kind = Kind::prefill;
    int n_tokens = 0, depth = 0;

    [[nodiscard]] std::string name() const;
    /// Tokens of context it takes.
    [[nodiscard]] int n_ctx() const;
};

/// The limit is the machine's, measured in turn with the runs: memory for decode, products for
/// prefill. 0: not measured.
struct BenchResult {
    std::string test;
    std::vector<double> tokens_per_s;       // a repetition each
    std::vector<double> limit_share;        // of each
    MachineLimits limits;                   // mean over the repetitions
    std::vector<OperationTotal> operations; // over all repetitions; empty: not asked for

    [[nodiscard]] double mean() const;
    [[nodiscard]] double stddev() const; // of the sample; 0 for one repetition
    [[nodiscard]] double mean_share() const;
};

/// A line of the table.
struct BenchRow {
    ModelInfo info;
    std::string isa;
    int n_threads = 0;
    CacheTypes cache;
    BenchResult result;
};

} // namespace sotto::cli
