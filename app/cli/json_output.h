// SPDX-License-Identifier: Apache-2.0
// The objects that --json prints, one line on stdout each. The JSON library is included in
// json_output.cpp alone. Bytes that are no UTF-8 become U+FFFD: JSON cannot hold them.
#pragma once

#include "app/cli/bench_plan.h"
#include "app/cli/divergence.h"
#include "app/cli/session.h"
#include "engine/engine.h"

#include <optional>
#include <string>
#include <vector>

namespace sotto::cli {

/// What would have been picked before each forced id, and its distance to the second best logit.
struct ForcedPicks {
    std::vector<TokenId> picks;
    std::vector<double> margins;
};

struct PerplexityReport {
    double ppl = 0, ppl_error = 0, nll = 0;
    std::int64_t n_tokens = 0, n_windows = 0;
    std::optional<DivergenceReport> kl;
};

void print_json(const Outcome& outcome, const std::vector<TokenId>& prompt,
                const std::optional<std::string>& logits_hash,
                const std::optional<ForcedPicks>& forced);
void print_json(const std::vector<TokenId>& ids, const std::vector<std::string>& pieces);
void print_json(const CpuInfo& info);
void print_json(const ModelInfo& info, int n_ctx);
void print_json(const PerplexityReport& report);
void print_json(const RenderedChat& chat);
void print_json(const std::vector<BenchRow>& rows);
/// The text as a JSON string: one line, whatever is in it.
void print_json_text(const std::string& text);
/// {"error": MESSAGE}
void print_json_error(const std::string& message);

/// A string as JSON spells it, quotes and escapes included: for people too.
std::string json_quoted(const std::string& text);

} // namespace sotto::cli
