// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/tokenizer/tokenizer.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
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
        bool anywhere = false; // found outside of trusted spans too
        TokenPlace place{};    // its flags; the id above counts
    };
    struct Match {
        std::size_t begin = 0, end = 0; // with the blanks that the token takes
        std::int32_t id = -1;
    };

    SpecialTokens() = default;
    /// The spellings must outlive this. Of equal ones the first stays; empty ones are left out.
    explicit SpecialTokens(std::vector<Token> tokens);

    /// The first match at or after `from`; id -1 if there is none. `trusted` is as joined() gives
    /// it.
    [[nodiscard]] Match find(std::string_view text, std::size_t from,
                             std::span<const Span> trusted) const;

  private:
    [[nodiscard]] const Token* longest_at(std::string_view text, std::size_t at,
                                          std::size_t trusted_end) const;

    std::vector<Token> tokens_; // by spelling
    std::array<bool, 256> first_bytes_{};
};

/// Spans in order, within a text of n_bytes, those that touch or overlap made one, without empty
/// ones.
[[nodiscard]] std::vector<Span> joined(std::span<const Span> spans, std::size_t n_bytes);

} // namespace sotto::tokenizer
