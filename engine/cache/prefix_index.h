// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/cache/kv_sequence.h"

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

namespace sotto::cache {

/// Which tokens have been computed, and in which pages their keys and values are: a tree of pages
/// from the first position on, each known by its parent and its tokens (found by a hash of both,
/// then compared). It holds the pages, so that they outlive their sequences; what no sequence holds
/// is given up when room is wanted, least recently used first. Scheduler's thread.
class PrefixIndex {
  public:
    explicit PrefixIndex(KvPool& pool) : pool_(&pool) {}
    ~PrefixIndex();
    PrefixIndex(const PrefixIndex&) = delete;
    PrefixIndex& operator=(const PrefixIndex&) = delete;

    /// Gives `kv`, which has no pages, those of the longest known prefix of `tokens`; returns its
    /// length. Of the last page perhaps only the beginning is meant: KvSequence::reserve() copies
    /// it before it is written to.
    std::int64_t find(std::span<const std::int32_t> tokens, KvSequence& kv);
    /// Gives `kv`, which has `n_before` tokens in whole pages and no page more, the whole pages
    /// that are known to follow; returns how many tokens it has then.
    std::int64_t find_pages(std::span<const std::int32_t> tokens, std::int64_t n_before,
                            KvSequence& kv);
    /// Makes known that `kv` holds `tokens`. Pages that are known already take the place of its
    /// own. The last page, if it is not full, should not be written to afterwards.
    void add(std::span<const std::int32_t> tokens, KvSequence& kv);
    /// Gives up the least recently used page that only the index holds and that no other follows;
    /// false if there is none.
    bool evict_one();

    [[nodiscard]] std::size_t n_pages() const { return nodes_.size(); }
    /// Pages that evict_one() could give up, one after the other.
    [[nodiscard]] std::size_t n_evictable() const;

  private:
    using Tokens = std::span<const std::int32_t>;
    struct Node {
        Node* parent = nullptr;
        std::uint64_t hash = 0; // of the parent's and the tokens
        std::vector<std::int32_t> tokens;
        KvPage* page = nullptr;
        std::vector<Node*> children;
        std::list<Node*>::iterator use; // its place in uses_
    };

    [[nodiscard]] Node* child_of(Node* parent, Tokens tokens);
    /// The last of the whole pages that hold the longest known prefix of `tokens`, n of them.
    [[nodiscard]] Node* last_whole(Tokens tokens, std::int64_t& n);
    std::int64_t take(Node* node, std::int64_t n_before, std::int64_t n, KvSequence& kv);
    /// The child that begins with most of `tokens`; null if none begins with the first.
    [[nodiscard]] static Node* nearest_child(const Node& parent, Tokens tokens, std::int64_t& n);
    Node* insert(Node* parent, Tokens tokens, KvPage* page);
    void remove(Node* node);
    void remove_beginnings(Node* parent, Tokens tokens);
    void touch(Node* node);

    KvPool* pool_;
    Node root_;
    std::unordered_multimap<std::uint64_t, std::unique_ptr<Node>> nodes_;
    std::list<Node*> uses_; // most recently used first; a page before those that follow it
};

} // namespace sotto::cache
