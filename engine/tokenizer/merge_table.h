// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace sotto::tokenizer {

/// Which pairs of neighbouring tokens merge, in what order, into what: a hash table with open addressing.
class MergeTable {
  public:
    struct Merge {
        std::uint64_t pair = 0; // left << 32 | right, plus 1: 0 is an empty slot
        std::int32_t rank = 0;  // lower merges first
        std::int32_t result = 0;
    };

    explicit MergeTable(std::size_t n_merges);
    /// The first entry of a pair stays.
    void add(std::int32_t left, std::int32_t right, std::int32_t rank, std::int32_t result);
    /// Null if the pair does not merge.
    [[nodiscard]] const Merge* find(std::int32_t left, std::int32_t right) const {
        const std::uint64_t pair = key(left, right);
        for (std::size_t i = slot(pair);; i = (i + 1) & mask_) {
            if (slots_[i].pair == pair) {
                return &slots_[i];
            }
            if (slots_[i].pair == 0) {
                return nullptr;
            }
        }
    }

  private:
    static std::uint64_t key(std::int32_t left, std::int32_t right) {
        return (static_cast<std::uint64_t>(static_cast<std::uint32_t>(left)) << 32 | static_cast<std::uint32_t>(right)) + 1;
    }
    [[nodiscard]] std::size_t slot(std::uint64_t pair) const {
        return static_cast<std::size_t>((pair * 0x9E3779B97F4A7C15ULL) >> 20) & mask_;
    }

    std::vector<Merge> slots_;
    std::size_t mask_;
};

} // namespace sotto::tokenizer
