// SPDX-License-Identifier: Apache-2.0
#include "engine/tokenizer/word_merger.h"

#include <algorithm>
#include <functional>

namespace sotto::tokenizer {

void WordMerger::run(std::span<const std::int32_t> tokens, std::vector<std::int32_t>& out) {
    const auto n = static_cast<std::int32_t>(tokens.size());
    symbols_.clear();
    queue_.clear();
    for (std::int32_t i = 0; i < n; ++i) {
        symbols_.push_back({tokens[static_cast<std::size_t>(i)], i - 1, i + 1 < n ? i + 1 : -1});
    }
    for (std::int32_t i = 0; i < n; ++i) {
        consider(i);
    }
    std::make_heap(queue_.begin(), queue_.end(), std::greater{});
    while (!queue_.empty()) {
        std::pop_heap(queue_.begin(), queue_.end(), std::greater{});
        const Candidate candidate = queue_.back();
        queue_.pop_back();
        apply(candidate);
    }
    for (std::int32_t i = n > 0 ? 0 : -1; i >= 0; i = at(i).next) {
        out.push_back(at(i).id);
    }
}

bool WordMerger::consider(std::int32_t left) {
    const std::int32_t right = left < 0 ? -1 : at(left).next;
    const Merge* merge = right < 0 ? nullptr : merges_.find(at(left).id, at(right).id);
    if (!merge) {
        return false;
    }
    queue_.push_back(static_cast<Candidate>(merge->rank) << 32 | static_cast<std::uint32_t>(left));
    return true;
}

void WordMerger::apply(Candidate candidate) {
    const auto index = static_cast<std::int32_t>(candidate & 0xFFFFFFFF);
    Symbol& left = at(index);
    if (left.id < 0 || left.next < 0) {
        return;
    }
    const Merge* merge = merges_.find(left.id, at(left.next).id);
    if (!merge || static_cast<Candidate>(merge->rank) != candidate >> 32) {
        return;
    }
    Symbol& right = at(left.next);
    left.id = merge->result;
    left.next = right.next;
    right.id = -1; // no candidate matches it any more
    if (left.next >= 0) {
        at(left.next).previous = index;
    }
    for (const std::int32_t i : {left.previous, index}) {
        if (consider(i)) {
            std::push_heap(queue_.begin(), queue_.end(), std::greater{});
        }
    }
}

} // namespace sotto::tokenizer
