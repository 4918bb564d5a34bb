// SPDX-License-Identifier: Apache-2.0
#include "engine/cache/prefix_index.h"

#include <algorithm>

namespace sotto::cache {
namespace {

/// Of a page's tokens after those of its parent: a multiply and a shift for each, so that equal
/// hashes of different tokens are rare; they are compared all the same.
std::uint64_t hash_of(std::uint64_t parent, std::span<const std::int32_t> tokens) {
    std::uint64_t hash = parent ^ 0x9e3779b97f4a7c15u;
    for (const std::int32_t token : tokens) {
        hash = (hash ^ static_cast<std::uint32_t>(token)) * 0xff51afd7ed558ccdu;
        hash ^= hash >> 32;
    }
    return hash;
}

std::int64_t common_length(std::span<const std::int32_t> a, std::span<const std::int32_t> b) {
    return std::ranges::mismatch(a, b).in1 - a.begin();
}

} // namespace

PrefixIndex::~PrefixIndex() {
    for (const auto& [hash, node] : nodes_) {
        pool_->let_go(node->page);
    }
}

PrefixIndex::Node* PrefixIndex::child_of(Node* parent, Tokens tokens) {
    const auto [begin, end] = nodes_.equal_range(hash_of(parent->hash, tokens));
    const auto it = std::find_if(begin, end, [&](const auto& entry) {
        return entry.second->parent == parent && std::ranges::equal(entry.second->tokens, tokens);
    });
    return it == end ? nullptr : it->second.get();
}

PrefixIndex::Node* PrefixIndex::nearest_child(const Node& parent, Tokens tokens, std::int64_t& n) {
    const auto length = [&](const Node* node) { return common_length(node->tokens, tokens); };
    const auto best = std::ranges::max_element(parent.children, {}, length);
    n = best == parent.children.end() ? 0 : length(*best);
    return n > 0 ? *best : nullptr;
}

PrefixIndex::Node* PrefixIndex::last_whole(Tokens tokens, std::int64_t& n) {
    Node* node = &root_;
    n = 0;
    while (n + kPageTokens <= static_cast<std::int64_t>(tokens.size())) {
        Node* child = child_of(node, tokens.subspan(static_cast<std::size_t>(n), kPageTokens));
        if (child == nullptr) {
            break;
        }
        node = child;
        n += kPageTokens;
    }
    return node;
}

/// Gives kv the pages up to `node`, which holds tokens up to n, after its own.
std::int64_t PrefixIndex::take(Node* node, std::int64_t n_before, std::int64_t n, KvSequence& kv) {
    std::vector<KvPage*> pages(
        static_cast<std::size_t>((n - n_before + kPageTokens - 1) / kPageTokens));
    const Node* from = node;
    for (auto page = pages.rbegin(); page != pages.rend(); ++page, from = from->parent) {
        *page = from->page;
    }
    kv.append_shared(pages);
    touch(node);
    return n;
}

std::int64_t PrefixIndex::find(Tokens tokens, KvSequence& kv) {
    std::int64_t n = 0, n_part = 0;
    Node* node = last_whole(tokens, n);
    if (Node* part = nearest_child(*node, tokens.subspan(static_cast<std::size_t>(n)), n_part)) {
        node = part;
    }
    return take(node, 0, n + n_part, kv);
}

std::int64_t PrefixIndex::find_pages(Tokens tokens, std::int64_t n_before, KvSequence& kv) {
    std::int64_t n = 0;
    Node* node = last_whole(tokens, n);
    // Its own pages may not be known yet.
    return n > n_before ? take(node, n_before, n, kv) : n_before;
}

void PrefixIndex::add(Tokens tokens, KvSequence& kv) {
    Node* node = &root_;
    for (std::size_t i = 0; i * kPageTokens < tokens.size(); ++i) {
        const std::size_t begin = i * kPageTokens;
        const Tokens part =
            tokens.subspan(begin, std::min<std::size_t>(kPageTokens, tokens.size() - begin));
        std::int64_t n_known = 0;
        Node* child = child_of(node, part);
        if (child == nullptr) {
            child = nearest_child(*node, part, n_known);
            if (n_known < static_cast<std::int64_t>(part.size())) {
                remove_beginnings(node, part);
                child = insert(node, part, kv.page(i));
            }
        } else if (part.size() == kPageTokens && child->page != kv.page(i)) {
            kv.share(i, child->page);
        }
        node = child;
    }
    touch(node);
}

PrefixIndex::Node* PrefixIndex::insert(Node* parent, Tokens tokens, KvPage* page) {
    auto owned = std::make_unique<Node>();
    Node* node = owned.get();
    node->parent = parent;
    node->hash = hash_of(parent->hash, tokens);
    node->tokens.assign(tokens.begin(), tokens.end());
    node->page = page;
    node->use = uses_.insert(uses_.begin(), node);
    pool_->hold(page);
    parent->children.push_back(node);
    nodes_.emplace(node->hash, std::move(owned));
    return node;
}

/// Pages that are not full and hold less than what is now known.
void PrefixIndex::remove_beginnings(Node* parent, Tokens tokens) {
    const std::vector<Node*> children = parent->children;
    for (Node* child : children) {
        const auto size = static_cast<std::int64_t>(child->tokens.size());
        if (size < kPageTokens && common_length(child->tokens, tokens) == size) {
            remove(child);
        }
    }
}

void PrefixIndex::remove(Node* node) {
    std::erase(node->parent->children, node);
    uses_.erase(node->use);
    pool_->let_go(node->page);
    const auto [begin, end] = nodes_.equal_range(node->hash);
    nodes_.erase(
        std::find_if(begin, end, [&](const auto& entry) { return entry.second.get() == node; }));
}

/// The page first, then those before it: they are wanted whenever it is.
void PrefixIndex::touch(Node* node) {
    for (; node != &root_; node = node->parent) {
        uses_.splice(uses_.begin(), uses_, node->use);
    }
}

bool PrefixIndex::evict_one() {
    const auto it = std::find_if(uses_.rbegin(), uses_.rend(), [](const Node* node) {
        return node->children.empty() && node->page->n_holders == 1;
    });
    if (it == uses_.rend()) {
        return false;
    }
    remove(*it);
    return true;
}

std::size_t PrefixIndex::n_evictable() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(uses_, [](const Node* node) { return node->page->n_holders == 1; }));
}

} // namespace sotto::cache
