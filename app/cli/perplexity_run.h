// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/logit_file.h"
#include "app/cli/options.h"

namespace sotto::cli {

struct PerplexityFlags {
    ModelFlags model;
    std::string file, tokens_file, save_file, kl_file;
    int n_ctx = 0, stride = -1; // not given: 512 and none, or what the saved run has
    std::int64_t chunks = 0;    // 0: all windows
    bool json = false;

    void add_to(CLI::App& app);
    [[nodiscard]] bool has_text() const { return !file.empty() || !tokens_file.empty(); }
};

/// The windows' rule: the flags, or where they are silent the saved run (may be null). An Error
/// where the two disagree.
Result<WindowRule> window_rule(const PerplexityFlags& flags, const LogitReader* saved);

/// The tokens to run with this model; an Error where the saved run was made with another
/// vocabulary or text. n_scored is left to the windows.
Result<LogitRun> describe_run(const PerplexityFlags& flags, const Model& model,
                              const WindowRule& rule, const LogitReader* saved);

} // namespace sotto::cli
