// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/tokenizer/merge_table.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sotto::tokenizer {

/// Merges the neighbours of a word, the lowest rank first and of equal ones the leftmost: n log n
/// for n tokens, however long the word. Keeps its memory from word to word; one thread.
class WordMerger {
  public:
    explicit WordMerger(const MergeTable& merges) : merges_(merges) {}

    /// Appends what `tokens` (fewer than 2^31) become.
    void run(std::span<const std::int32_t> tokens, std::vector<std::int32_t>& out);

  private:
    /// A token of the word, in a doubly linked list.
    struct Symbol {
        std::int32_t id;             // -1: went into the one before it
        std::int32_t previous, next; // -1: none
    };
    /// A merge that could be done: its rank << 32 | index of the left symbol. Stale if one of the
    /// two was merged since; the pair then has another rank or none.
    using Candidate = std::uint64_t;

    Symbol& at(std::int32_t i) { return symbols_[static_cast<std::size_t>(i)]; }
    /// True if a candidate was added to the end of the queue.
    bool consider(std::int32_t left);
    void apply(Candidate candidate);

    const MergeTable& merges_;
    std::vector<Symbol> symbols_;
    std::vector<Candidate> queue_; // a heap, the least first
};

} // namespace sotto::tokenizer
