// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sotto::tokenizer {

/// SipHash-1-3 (Aumasson, Bernstein 2012) with a key drawn when the program starts: whoever makes a
/// vocabulary cannot choose spellings that collide.
std::uint64_t keyed_hash(std::string_view bytes);

/// From spellings to ids; of equal spellings the first counts. Empty ones are left out. Immutable;
/// any thread.
class TokenIndex {
  public:
    /// Keeps a view of the tokens, fewer than 2^31.
    void build(std::span<const std::string> tokens);
    /// -1 if there is none.
    [[nodiscard]] std::int32_t find(std::string_view spelling) const;
    /// Tokens that are spelt like one before them.
    [[nodiscard]] std::size_t n_doubled() const { return n_doubled_; }

  private:
    struct Slot {
        std::uint32_t tag = 0; // other bits of the hash than those that choose the slot
        std::int32_t id = -1;  // -1: free
    };
    [[nodiscard]] std::size_t slot_of(std::string_view spelling, std::uint32_t& tag) const;

    std::span<const std::string> tokens_;
    std::vector<Slot> slots_; // a power of two, at most half of them taken
    std::size_t n_doubled_ = 0;
};

/// From characters to ids, by pages of 256.
class CharacterIndex {
  public:
    /// Of two ids for one character the first counts.
    void add(char32_t c, std::int32_t id);
    /// -1 if there is none.
    [[nodiscard]] std::int32_t find(char32_t c) const {
        const std::size_t page = c >> 8;
        return page < pages_.size() && !pages_[page].empty() ? pages_[page][c & 0xFF] : -1;
    }

  private:
    std::vector<std::vector<std::int32_t>> pages_; // of 256 ids, or empty
};

} // namespace sotto::tokenizer
