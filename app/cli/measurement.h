// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/divergence.h"
#include "app/cli/logit_file.h"
#include "app/cli/session.h"

#include <optional>

namespace sotto::cli {

/// Runs the windows of a text and scores them; beside that writes the log-probabilities to a file,
/// or compares them with those of a saved run.
class Measurement {
  public:
    Measurement(const Session& session, const LogitRun& run, std::vector<Window> windows)
        : session_(session), run_(run), windows_(std::move(windows)), codes_(codes_needed()),
          base_codes_(codes_needed()) {}

    void save_to(LogitWriter& writer) { writer_ = &writer; }
    void compare_with(LogitReader& reader) { reader_ = &reader; }

    /// Blocks, with a status line.
    Result<void> run();

    [[nodiscard]] const Score& score() const { return score_; }
    [[nodiscard]] const DivergenceStatistics& divergence() const { return divergence_; }
    [[nodiscard]] std::size_t n_windows() const { return windows_.size(); }

  private:
    [[nodiscard]] std::size_t codes_needed() const {
        return static_cast<std::size_t>(run_.n_vocab);
    }
    Result<void> run_window(const Window& window);
    Result<void> take(std::span<const float> logits, TokenId target);

    const Session& session_;
    const LogitRun& run_;
    std::vector<Window> windows_;
    LogitWriter* writer_ = nullptr;
    LogitReader* reader_ = nullptr;
    Score score_;
    LogProbTable table_;
    DivergenceStatistics divergence_;
    std::vector<LogProbCode> codes_, base_codes_; // [n_vocab]
};

} // namespace sotto::cli
