// SPDX-License-Identifier: Apache-2.0
// Queries quantised for the products with Q8_0 keys: these are the products of packed Q8_0 weights,
// 16 keys for 16 rows (numerics, rules 2 and 3). Included inside an unnamed namespace, for the
// vector levels; level_scalar.cpp has the definition.

/// Up to kTileQueries queries in tiles; lies in the scratch memory.
struct QueryCodes {
    int n = 0, n_blocks = 0;
    unsigned char* tiles = nullptr;

    void fill(const Activations& queries, int blocks, unsigned char* memory) {
        n = static_cast<int>(queries.n_rows);
        n_blocks = blocks;
        tiles = memory;
        pack_rows<WeightType::Q8_0>(queries, std::int64_t{kActBlock} * n_blocks, 0, n, tiles);
    }
    /// y[i * ldy + key] = query i times each key of the K tiles from tiles[0] on; returns how many
    /// tiles that were: neighbours in memory are multiplied in one pass.
    int multiply(const void* const* k_tiles, int n_left, float* y, std::int64_t ldy) const {
        constexpr int kMany = Simd::kGroupsAtOnce, kRows = Simd::kMaxRows;
        const std::int64_t tile_bytes = (kKeyBlockBytes * n_blocks + 63) / 64 * 64;
        const auto* first = static_cast<const std::uint8_t*>(k_tiles[0]);
        const Panel panel{first, tile_bytes, tiles, n_blocks, 0, n_blocks};
        bool together = n_left >= kMany;
        for (int j = 1; j < kMany && together; ++j)
            together = k_tiles[j] == first + j * tile_bytes;
        if (together)
            multiply_tiles<WeightType::Q8_0, kRows, kMany>(panel, 0, 0, n, y, ldy);
        else
            multiply_tiles<WeightType::Q8_0, kRows, 1>(panel, 0, 0, n, y, ldy);
        return together ? kMany : 1;
    }
};
