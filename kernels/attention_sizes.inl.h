// SPDX-License-Identifier: Apache-2.0
// What tiles of keys and values and an attention kernel's scratch memory hold. Included inside an
// unnamed namespace.

constexpr int kTileQueries = 12; // queries at most that share one reading of keys and values
/// Floats between the outputs of a tile's queries.
constexpr int padded_head_dim(int head_dim) {
    return (head_dim + 15) / 16 * 16;
}

/// Blocks of 32 dimensions, each with a scale of its own, in Q8_0.
constexpr int kv_blocks(int head_dim) {
    return (head_dim + 31) / 32;
}
constexpr int kKeyBlockBytes = 2 * kKvTile + 32 * kKvTile; // scales, then codes

/// A query as int8: codes, scales and sums of its blocks.
constexpr int query_code_bytes(int head_dim) {
    return (32 + 4 + 8) * kv_blocks(head_dim);
}
/// Floats of a tile's query: weights, output, and for int8 keys its codes again, and packed.
constexpr int tile_query_floats(int head_dim) {
    const int packed = kPackedActBlockBytes * kv_blocks(head_dim);
    return kAttnChunk + padded_head_dim(head_dim) + (query_code_bytes(head_dim) + packed) / 4;
}
constexpr int all_codes_floats(int n_queries, int head_dim) {
    return (n_queries * query_code_bytes(head_dim) / 4 + 15) / 16 * 16;
}
