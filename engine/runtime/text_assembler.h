// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sotto::runtime {

/// Turns the bytes of tokens into text that may be shown: whole characters only, and nothing that
/// could be the beginning of a stop string. How the bytes are cut into pushes changes nothing. Its
/// output is valid UTF-8: what is none becomes U+FFFD. Time: bytes times number of stop strings.
/// Holds back at most the longest stop string less one byte, and three bytes of a character. One
/// thread.
class TextAssembler {
  public:
    /// Any number; empty ones are ignored.
    explicit TextAssembler(const std::vector<std::string>& stops);

    /// Text that may be shown now. The stop string that is complete first ends the text (of those
    /// complete at the same place the longest): what stood before it is given, then nothing more.
    std::string push(std::string_view bytes);
    [[nodiscard]] bool stopped() const { return stopped_; }
    /// The end of the answer: what was held back. Nothing after a stop.
    std::string finish();

  private:
    /// A stop string as an automaton (Knuth, Morris, Pratt).
    struct Stop {
        std::string text;
        std::vector<std::size_t>
            fallback; // [n] length of the longest proper prefix that text[0..i] ends with
        std::size_t matched = 0; // bytes of `text` that the text so far ends with

        explicit Stop(std::string t);
        void advance(char c);
        [[nodiscard]] bool complete() const { return matched == text.size(); }
    };
    /// Feeds one byte to all; the length of the longest stop string that it completes, else 0.
    std::size_t advance(char c);

    std::vector<Stop> stops_;
    std::string raw_;  // an incomplete character
    std::string held_; // text that may begin a stop string
    bool stopped_ = false;
};

} // namespace sotto::runtime
