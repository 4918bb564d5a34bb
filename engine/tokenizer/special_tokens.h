// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sotto::tokenizer {

/// Finds tokens by their spelling in text, the longest at each place. Time is linear in the text: only
/// lengths that some token with the same first byte has are tried.
class SpecialTokens {
  public:
    void add(std::string_view spelling, std::int32_t id);

    struct Match {
        std::size_t begin = 0, end = 0;
        std::int32_t id = -1;
    };
    /// The first match at or after `from`; id -1 if there is none.
    [[nodiscard]] Match find(std::string_view text, std::size_t from) const;

  private:
    std::unordered_map<std::string, std::int32_t> ids_;
    std::vector<std::size_t> lengths_[256]; // by first byte, longest first
};

} // namespace sotto::tokenizer
