// SPDX-License-Identifier: Apache-2.0
#include "engine/tokenizer/merge_table.h"

#include <bit>

namespace sotto::tokenizer {

MergeTable::MergeTable(std::size_t n_merges)
    : slots_(std::bit_ceil(2 * n_merges + 2)), mask_(slots_.size() - 1) {}

void MergeTable::add(std::int32_t left, std::int32_t right, std::int32_t rank, std::int32_t result) {
    const std::uint64_t pair = key(left, right);
    std::size_t i = slot(pair);
    while (slots_[i].pair != 0 && slots_[i].pair != pair) {
        i = (i + 1) & mask_;
    }
    if (slots_[i].pair == 0) {
        slots_[i] = {pair, rank, result};
    }
}

} // namespace sotto::tokenizer
