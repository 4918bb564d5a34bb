// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/interrupts.h"

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace sotto::cli {

/// A longer line is an error of that line.
inline constexpr std::size_t kMaxLineBytes = std::size_t{64} << 20;

struct BatchLine {
    std::int64_t number = 0; ///< from 1, blank lines counted
    std::string text;        ///< without its line end
    bool too_long = false;   ///< than kMaxLineBytes; `text` is empty
};

/// The lines of an input that are not blank. A thread of its own reads a little ahead: who writes
/// into a pipe may wait for an answer before the next line, and meanwhile answers must come out.
class BatchInput {
  public:
    /// `on_change` is called on the reading thread after each line and at the end.
    BatchInput(std::shared_ptr<InterruptibleInput> in, std::function<void()> on_change);
    /// As stop().
    ~BatchInput();
    BatchInput(const BatchInput&) = delete;
    BatchInput& operator=(const BatchInput&) = delete;

    /// Nothing: none has come yet, or there are no more.
    std::optional<BatchLine> next();
    /// There are no more, and all were taken.
    [[nodiscard]] bool ended() const;
    /// Drops what was not taken and joins the thread. A read that blocks ends by itself or with a
    /// pending interrupt alone: do not answer that before.
    void stop();
    /// A read failed. To be asked after ended().
    [[nodiscard]] bool failed() const { return in_->failed(); }

  private:
    void read();
    bool read_line(BatchLine& line);
    bool put(BatchLine line);

    const std::shared_ptr<InterruptibleInput> in_;
    const std::function<void()> on_change_;
    mutable std::mutex mutex_;
    std::condition_variable taken_;
    std::deque<BatchLine> lines_;
    std::size_t n_bytes_ = 0; // of lines_
    bool stopped_ = false, at_end_ = false;
    std::thread thread_;
};

} // namespace sotto::cli
