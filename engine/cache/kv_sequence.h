// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/cache/kv_pool.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sotto::cache {

/// The pages of one sequence: position p is in page p / kPageTokens. Pages may be shared with other
/// sequences; before positions are written, the pages they lie in are made its own. Lets go of its
/// pages when it dies.
class KvSequence {
  public:
    explicit KvSequence(KvPool& pool) : pool_(&pool) {}
    ~KvSequence() { truncate(0); }
    KvSequence(const KvSequence&) = delete;
    KvSequence& operator=(const KvSequence&) = delete;

    /// Pages for positions [0, end), those from `begin` on for writing: a shared page that holds
    /// positions before `begin` is copied. On an error (no_memory) everything before `begin` is as
    /// it was.
    Result<void> reserve(std::int64_t begin, std::int64_t end);
    /// Takes up pages that others hold too, after those it has.
    void append_shared(std::span<KvPage* const> pages);
    /// Takes `page`, which holds the same, in the place of its own.
    void share(std::size_t index, KvPage* page);
    /// Lets go of the pages that hold only positions >= n_tokens.
    void truncate(std::int64_t n_tokens);

    [[nodiscard]] std::int64_t capacity() const {
        return static_cast<std::int64_t>(pages_.size()) * kPageTokens;
    }
    [[nodiscard]] KvPage* page(std::size_t index) const { return pages_[index]; }
    /// Tile `tile` (position / 16) of a layer and head.
    [[nodiscard]] std::byte* k_tile(int layer, int head, std::int64_t tile) const {
        const auto t = static_cast<std::size_t>(tile);
        return head_at(layer, head, t) + t % kTilesPerPage * pool_->shape().k_tile_bytes();
    }
    [[nodiscard]] std::byte* v_tile(int layer, int head, std::int64_t tile) const {
        const auto t = static_cast<std::size_t>(tile);
        return head_at(layer, head, t) + kTilesPerPage * pool_->shape().k_tile_bytes() +
               t % kTilesPerPage * pool_->shape().v_tile_bytes();
    }

  private:
    [[nodiscard]] std::byte* head_at(int layer, int head, std::size_t tile) const {
        const KvShape& s = pool_->shape();
        const auto slot = static_cast<std::size_t>(layer) * static_cast<std::size_t>(s.n_head_kv) +
                          static_cast<std::size_t>(head);
        return pages_[tile / kTilesPerPage]->data + slot * s.head_bytes();
    }
    Result<void> make_own(std::size_t index, bool keep_contents);

    KvPool* pool_;
    std::vector<KvPage*> pages_;
};

} // namespace sotto::cache
