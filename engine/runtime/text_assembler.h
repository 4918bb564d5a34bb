// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sotto::runtime {

/// Turns the bytes of tokens into text that may be shown: whole characters only, and nothing that could
/// be the beginning of a stop string. Holds back at most the longest stop string less one byte, and at
/// most three bytes of a character. Its output is valid UTF-8: what is none becomes U+FFFD.
class TextAssembler {
  public:
    /// Empty stop strings are ignored.
    explicit TextAssembler(const std::vector<std::string>& stops);

    /// Text that may be shown now. After a stop string was seen: what stood before it, then nothing more.
    /// Of stop strings that match, the earliest ends the text, of those the longest.
    std::string push(std::string_view bytes);
    [[nodiscard]] bool stopped() const { return stopped_; }
    /// The end of the answer: what was held back.
    std::string finish();

  private:
    [[nodiscard]] std::size_t find_stop() const;
    [[nodiscard]] std::size_t held_suffix() const;

    std::vector<std::string> stops_;
    std::string raw_;  // an incomplete character
    std::string held_; // text that may begin a stop string
    bool stopped_ = false;
};

} // namespace sotto::runtime
