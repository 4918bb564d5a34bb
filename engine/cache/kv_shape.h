// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/kernels.h"

#include <cstddef>

namespace sotto::cache {

/// Positions in one page: a multiple of the kernels' tile. Measured in tests/bench/README.md.
inline constexpr int kPageTokens = 64;
inline constexpr int kTilesPerPage = kPageTokens / kernels::kKvTile;

/// What a page holds: keys and values of kPageTokens consecutive positions, all layers and heads:
/// [n_layer][n_head_kv][K tiles, V tiles].
struct KvShape {
    int n_layer = 0;
    int n_head_kv = 0;
    int head_dim = 0;
    kernels::KvType k_type = kernels::KvType::F16;
    kernels::KvType v_type = kernels::KvType::F16;

    /// 16 keys of one head in one layer
    [[nodiscard]] std::size_t k_tile_bytes() const {
        return kernels::kv_tile_bytes(k_type, head_dim);
    }
    [[nodiscard]] std::size_t v_tile_bytes() const {
        return kernels::kv_tile_bytes(v_type, head_dim);
    }
    /// All keys and values of one head in one layer
    [[nodiscard]] std::size_t head_bytes() const {
        return (k_tile_bytes() + v_tile_bytes()) * kTilesPerPage;
    }
    [[nodiscard]] std::size_t page_bytes() const {
        return head_bytes() * static_cast<std::size_t>(n_layer) *
               static_cast<std::size_t>(n_head_kv);
    }
    [[nodiscard]] std::size_t bytes_per_token() const { return page_bytes() / kPageTokens; }
};

} // namespace sotto::cache
