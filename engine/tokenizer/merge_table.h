// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sotto::tokenizer {

/// One line of the merge list.
struct Merge {
    std::int32_t left = 0, right = 0; // the pair of neighbouring tokens
    std::int32_t rank = 0;            // lower merges first
    std::int32_t result = 0;          // what they become
};

/// Looks merges up by their pair. Sorted lists, one for each left token, and not a hash table: ids
/// come from a file, and no choice of them can make this slow.
class MergeTable {
  public:
    MergeTable() = default;
    /// Of several merges of one pair the first stays. Ids are in 0..n_tokens-1.
    MergeTable(std::vector<Merge> merges, std::size_t n_tokens);

    /// Null if the pair does not merge. Both ids are in 0..n_tokens-1.
    [[nodiscard]] const Merge* find(std::int32_t left, std::int32_t right) const {
        const std::uint32_t* row = begin_.data() + left;
        const Merge* low = merges_.data() + row[0];
        for (std::size_t n = row[1] - row[0]; n > 0;) {
            const std::size_t half = n / 2;
            if (low[half].right < right) {
                low += half + 1;
                n -= half + 1;
            } else {
                n = half;
            }
        }
        return low != merges_.data() + row[1] && low->right == right ? low : nullptr;
    }

  private:
    std::vector<Merge> merges_;        // by left, then right
    std::vector<std::uint32_t> begin_; // [n_tokens + 1] where the merges of a left token begin
};

} // namespace sotto::tokenizer
