// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace sotto::cli {

bool stdin_is_terminal();
bool stdout_is_terminal();
bool stderr_is_terminal();

/// What the person types, a line at a time, with editing and history where there is a terminal.
class LineEditor {
  public:
    enum class End { line, end_of_input, interrupted };
    LineEditor();
    ~LineEditor();
    /// `line` without its line end. On a terminal `prompt` is shown.
    End read(const std::string& prompt, std::string& line);

  private:
    struct State;
    State* state_ = nullptr; // null: plain lines
};

/// A status line on stderr that is written over; nothing where stderr is no terminal.
class StatusLine {
  public:
    ~StatusLine() { clear(); }
    void show(const std::string& text);
    void clear();

  private:
    bool shown_ = false;
};

} // namespace sotto::cli
