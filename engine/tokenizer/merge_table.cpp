// SPDX-License-Identifier: Apache-2.0
#include "engine/tokenizer/merge_table.h"

#include <algorithm>

namespace sotto::tokenizer {

MergeTable::MergeTable(std::vector<Merge> merges, std::size_t n_tokens)
    : merges_(std::move(merges)), begin_(n_tokens + 1, 0) {
    const auto less = [](const Merge& a, const Merge& b) {
        return a.left != b.left ? a.left < b.left : a.right < b.right;
    };
    const auto same = [](const Merge& a, const Merge& b) {
        return a.left == b.left && a.right == b.right;
    };
    std::stable_sort(merges_.begin(), merges_.end(), less);
    merges_.erase(std::unique(merges_.begin(), merges_.end(), same), merges_.end());
    for (const Merge& m : merges_) {
        ++begin_[static_cast<std::size_t>(m.left) + 1];
    }
    for (std::size_t i = 1; i < begin_.size(); ++i) {
        begin_[i] += begin_[i - 1];
    }
}

} // namespace sotto::tokenizer
