// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace sotto::tokenizer {

/// Finds tokens by their spelling in text, the longest at each place. Time is linear in the text:
/// at a place at most kMaxBytes are looked at, and nothing where no token begins with the byte that
/// is there.
class SpecialTokens {
  public:
    /// Longer spellings are never found.
    static constexpr std::size_t kMaxBytes = 256;
    struct Token {
        std::string_view spelling;
        std::int32_t id = -1;
    };
    struct Match {
        std::size_t begin = 0, end = 0;
        std::int32_t id = -1;
    };

    SpecialTokens() = default;
    /// The spellings must outlive this. Of equal ones the first stays; empty ones are left out.
    explicit SpecialTokens(std::vector<Token> tokens);

    /// The first match at or after `from`; id -1 if there is none.
    [[nodiscard]] Match find(std::string_view text, std::size_t from) const;

  private:
    [[nodiscard]] const Token* longest_at_front(std::string_view text) const;

    std::vector<Token> tokens_; // by spelling
    std::array<bool, 256> first_bytes_{};
};

} // namespace sotto::tokenizer
