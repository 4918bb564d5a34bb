// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace sotto::cli {

/// An answer as it comes: the text on stdout; what is thought before it on stderr, dimmed where
/// that is a terminal, and left out where it is none unless asked for.
class AnswerPrinter {
  public:
    explicit AnswerPrinter(bool show_thinking);
    void print(const std::string& thinking, const std::string& text);
    /// The line ends that are due. `failed`: no empty line for an answer that has no text.
    void end(bool failed);

  private:
    void end_thought();

    bool show_thinking_, dimmed_;
    bool in_thought_ = false, has_text_ = false;
};

} // namespace sotto::cli
