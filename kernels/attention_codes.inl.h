// SPDX-License-Identifier: Apache-2.0
// Attention: scores of int8 keys (numerics, rule 6), for queries that are int8 too. Included inside
// an unnamed namespace.

/// Rows of queries as int8, one array after the other in memory.
struct CodeRows {
    int n_blocks;
    std::int32_t* sums; // [n][2 * n_blocks]
    float* scales;      // [n][n_blocks]
    std::int8_t* codes; // [n][32 * n_blocks]

    CodeRows(unsigned char* memory, int n, int head_dim)
        : n_blocks(kv_blocks(head_dim)), sums(reinterpret_cast<std::int32_t*>(memory)),
          scales(reinterpret_cast<float*>(sums + 2 * n * n_blocks)),
          codes(reinterpret_cast<std::int8_t*>(scales + n * n_blocks)) {}

    void quantize(int row, const float* q, int head_dim) const {
        quantize_row(q, head_dim, codes + row * 32 * n_blocks, scales + row * n_blocks,
                     sums + 2 * row * n_blocks);
    }
    void copy(int row, const CodeRows& from, int from_row) const {
        const auto n = static_cast<std::size_t>(n_blocks);
        __builtin_memcpy(codes + row * 32 * n_blocks, from.codes + from_row * 32 * n_blocks,
                         32 * n);
        __builtin_memcpy(scales + row * n_blocks, from.scales + from_row * n_blocks, 4 * n);
        __builtin_memcpy(sums + 2 * row * n_blocks, from.sums + 2 * from_row * n_blocks, 8 * n);
    }
    Activations view(int n) const {
        return {n, nullptr, 0, codes, std::int64_t{32} * n_blocks, scales, n_blocks, sums};
    }
};

/// Scores of Q8_0 keys: the queries are int8 too. kAhead: the values come next.
template <bool kAhead>
void score_codes(const AttentionChunk& c, const QueryTile& tile, int begin, int end) {
    const int n_blocks = kv_blocks(c.head_dim);
    const CodeRows all(tile.all_codes, c.n_queries, c.head_dim);
    const CodeRows rows(tile.codes, tile.n, c.head_dim);
    for (int i = 0; i < tile.n; ++i)
        rows.copy(i, all, tile.index[i]);
    QueryCodes codes;
    codes.fill(rows.view(tile.n), n_blocks, tile.codes + tile.n * query_code_bytes(c.head_dim));
    const int first = begin / kKvTile, last = (end + kKvTile - 1) / kKvTile;
    for (int t = first; t < last;) {
        const int next =
            t + codes.multiply(c.k_tiles + t, last - t, tile.p[0] + t * kKvTile, kAttnChunk);
        for (; t < next; ++t)
            for (int line = 0; line < kKeyBlockBytes * n_blocks && kAhead; line += 64)
                SOTTO_PREFETCH(static_cast<const char*>(c.v_tiles[t]) + line);
    }
    const F32x16 scale = F32x16::all(c.scale);
    for (int i = 0; i < tile.n; ++i)
        for (float* p = tile.p[i] + first * kKvTile; p < tile.p[i] + last * kKvTile; p += kKvTile)
            F32x16::store(p, F32x16::load(p) * scale);
}
