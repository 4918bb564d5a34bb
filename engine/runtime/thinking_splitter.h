// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine.h"

#include <string>
#include <string_view>

namespace sotto::runtime {

/// Tells what a model thinks from what it answers, as the text comes. A thought is at the very
/// beginning (blanks before it do not count) and ends at the first closing mark; blanks around both
/// are dropped. Holds back at most a mark less one byte, and blanks that may stand before one. How
/// the text is cut into pushes changes nothing. One thread.
class ThinkingSplitter {
  public:
    struct Parts {
        std::string thinking, text;
    };

    /// `inside`: the prompt has opened a thought. Without marks all is text.
    ThinkingSplitter(ThinkingMarks marks, bool inside);

    Parts push(std::string_view text);
    /// What was held back.
    Parts finish();
    /// The end of the text is still within a thought.
    [[nodiscard]] bool inside() const { return state_ == State::thinking; }

  private:
    enum class State : std::uint8_t { beginning, thinking, after, answer };
    bool step(Parts& parts, bool at_end);
    bool begin(bool at_end);
    bool think(Parts& parts, bool at_end);
    bool skip_blanks();

    ThinkingMarks marks_;
    State state_;
    bool said_anything_ = false; // of the thought: blanks before its first word are dropped
    std::string held_;
};

} // namespace sotto::runtime
