// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/aligned_buffer.h"
#include "engine/base/result.h"
#include "kernels/kernels.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace sotto::cache {

/// Positions in one page: small enough that a short chat wastes little, a multiple of the kernels'
/// tile.
inline constexpr int kPageTokens = 64;
inline constexpr int kTilesPerPage = kPageTokens / kernels::kKvTile;

struct KvShape {
    int n_layer = 0;
    int n_head_kv = 0;
    int head_dim = 0;
    kernels::KvType type = kernels::KvType::F16;

    /// 16 keys (or values) of one head in one layer
    [[nodiscard]] std::size_t tile_bytes() const { return kernels::kv_tile_bytes(type, head_dim); }
    [[nodiscard]] std::size_t page_bytes() const {
        return tile_bytes() * kTilesPerPage * 2 * static_cast<std::size_t>(n_layer) *
               static_cast<std::size_t>(n_head_kv);
    }
    [[nodiscard]] std::size_t bytes_per_token() const { return page_bytes() / kPageTokens; }
};

/// Keys and values of 64 consecutive positions, all layers:
/// [n_layer][n_head_kv][K tiles, V tiles], each of kernels::kv_tile_bytes(). Memory of the pool.
using KvPage = std::byte*;

/// Hands out pages up to a limit and takes them back. Pages are cut from slabs that are large
/// enough for huge pages of the system: reading keys and values touches all of them for every
/// token. Owned by the scheduler's thread.
class KvPool {
  public:
    KvPool(KvShape shape, std::size_t max_bytes) : shape_(shape), max_bytes_(max_bytes) {}

    /// no_memory if the limit is reached or the system has no more.
    Result<KvPage> take();
    void give_back(KvPage page);
    [[nodiscard]] const KvShape& shape() const { return shape_; }
    /// Memory held by pages in use and kept.
    [[nodiscard]] std::size_t held_bytes() const {
        return (n_used_ + free_.size()) * shape_.page_bytes();
    }
    [[nodiscard]] std::size_t used_bytes() const { return n_used_ * shape_.page_bytes(); }

  private:
    Result<void> add_slab();

    KvShape shape_;
    std::size_t max_bytes_;
    std::size_t n_used_ = 0;
    std::vector<KvPage> free_;
    std::vector<AlignedBuffer> slabs_;
    std::size_t cut_bytes_ = 0; // of the last slab
};

/// The pages of one sequence: position p is in page p / 64. Gives its pages back when it dies.
class KvSequence {
  public:
    explicit KvSequence(KvPool& pool) : pool_(&pool) {}
    ~KvSequence() { truncate(0); }
    KvSequence(const KvSequence&) = delete;
    KvSequence& operator=(const KvSequence&) = delete;

    /// Pages for positions [0, n_tokens). On an error the sequence holds what it held before.
    Result<void> reserve(std::int64_t n_tokens);
    /// Gives back the pages that hold only positions >= n_tokens.
    void truncate(std::int64_t n_tokens);
    [[nodiscard]] std::int64_t capacity() const {
        return static_cast<std::int64_t>(pages_.size()) * kPageTokens;
    }
    /// Tile `tile` (position / 16) of a layer and head.
    [[nodiscard]] std::byte* k_tile(int layer, int head, std::int64_t tile) const {
        return tile_at(layer, head, 0, tile);
    }
    [[nodiscard]] std::byte* v_tile(int layer, int head, std::int64_t tile) const {
        return tile_at(layer, head, 1, tile);
    }

  private:
    [[nodiscard]] std::byte* tile_at(int layer, int head, int kind, std::int64_t tile) const {
        const KvShape& s = pool_->shape();
        const auto slot = (static_cast<std::size_t>(layer) * static_cast<std::size_t>(s.n_head_kv) +
                           static_cast<std::size_t>(head)) *
                              2 +
                          static_cast<std::size_t>(kind);
        const auto t = static_cast<std::size_t>(tile);
        return pages_[t / kTilesPerPage] +
               (slot * kTilesPerPage + t % kTilesPerPage) * s.tile_bytes();
    }

    KvPool* pool_;
    std::vector<KvPage> pages_;
};

} // namespace sotto::cache
