// SPDX-License-Identifier: Apache-2.0
// What tiles of keys and values and an attention kernel's scratch memory hold. Included inside an
// unnamed namespace.

constexpr int kTileQueries = 8; // queries at most that share one reading of keys and values
/// Floats between the outputs of a tile's queries.
constexpr int padded_head_dim(int head_dim) {
    return (head_dim + 15) / 16 * 16;
}

/// Blocks of 32 dimensions, each with a scale of its own, in Q8_0.
constexpr int kv_blocks(int head_dim) {
    return (head_dim + 31) / 32;
}
constexpr int kKeyBlockBytes = 2 * kKvTile + 32 * kKvTile; // scales, then codes

/// For a query and block of 32 dimensions: its packed block, and before that codes, scale and sums.
constexpr int kQueryBlockBytes = kPackedActBlockBytes + 32 + 4 + 8;
constexpr int query_floats(int head_dim) {
    return (kQueryBlockBytes * kv_blocks(head_dim) / 4 + 15) / 16 * 16;
}
