// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace sotto {

/// 128 bits that tell bytes apart and find damage, at the speed of memory (XXH3). No protection
/// from someone who looks for two inputs with one hash: Sha256 is for that.
using Hash128 = std::array<std::uint64_t, 2>;

Hash128 hash_bytes(std::span<const std::byte> bytes);

/// The same of bytes that come in pieces.
class FastHash {
  public:
    FastHash();
    ~FastHash();
    FastHash(const FastHash&) = delete;
    FastHash& operator=(const FastHash&) = delete;

    void add(std::span<const std::byte> bytes);
    /// The text and its length, so that no two lists of texts are alike.
    void add_text(std::string_view text);
    [[nodiscard]] Hash128 get() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace sotto
