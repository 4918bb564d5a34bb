// SPDX-License-Identifier: Apache-2.0
// Attention: the scores of a tile of queries and their weights (numerics, rule 6). Lanes are keys.
// Included inside an unnamed namespace.

/// Queries of a chunk, each with at least one visible key.
struct QueryTile {
    int n = 0;
    int index[kTileQueries]; // in the chunk
    int begin[kTileQueries], end[kTileQueries];
    const float* q[kTileQueries];
    float* p[kTileQueries];   // [256] scores, then weights, by key; one after the other in memory
    float* o[kTileQueries];   // [padded_head_dim] the chunk's output
    unsigned char* codes;     // memory for the tile's queries as int8, and packed
    unsigned char* all_codes; // those of all queries of the chunk
};

/// The loops below run over key range [begin, end) of the queries first..first+kQueries-1 of a
/// tile.
struct Span {
    int first, begin, end;
};

template <KvType kType>
SOTTO_INLINE F32x16 load_16(const void* tile, int index) {
    if constexpr (kType == KvType::F32)
        return F32x16::load(static_cast<const float*>(tile) + index);
    else
        return F32x16::load_f16(static_cast<const std::uint16_t*>(tile) + index);
}

/// Vectors that a tile of kQueries takes at once, by the accumulators there are.
template <int kQueries>
constexpr int kVectorsAtOnce = F32x16::kAccumulators / kQueries >= 4   ? 4
                               : F32x16::kAccumulators / kQueries >= 2 ? 2
                                                                       : 1;

/// Scores of kQueries queries from `first` on with the kTiles * 16 keys from key tile t on.
template <KvType kType, int kQueries, int kTiles>
SOTTO_INLINE void score_keys(const AttentionChunk& c, const QueryTile& tile, int first, int t) {
    const void* keys[kTiles];
    for (int j = 0; j < kTiles; ++j)
        keys[j] = c.k_tiles[t + j];
    const float* q[kQueries];
    F32x16 acc[kQueries][kTiles];
    for (int i = 0; i < kQueries; ++i) {
        q[i] = tile.q[first + i];
        for (int j = 0; j < kTiles; ++j)
            acc[i][j] = F32x16::all(0.0f);
    }
    for (int d = 0; d < c.head_dim; ++d) {
        F32x16 k[kTiles];
        for (int j = 0; j < kTiles && kType != KvType::F32; ++j) // the values come next
            SOTTO_PREFETCH(static_cast<const char*>(c.v_tiles[t + j]) + 2 * kKvTile * d);
        for (int j = 0; j < kTiles; ++j)
            k[j] = load_16<kType>(keys[j], d * kKvTile);
        for (int i = 0; i < kQueries; ++i) {
            const F32x16 value = F32x16::all(q[i][d]);
            for (int j = 0; j < kTiles; ++j)
                acc[i][j] = F32x16::fma(value, k[j], acc[i][j]);
        }
    }
    const F32x16 scale = F32x16::all(c.scale);
    for (int i = 0; i < kQueries; ++i)
        for (int j = 0; j < kTiles; ++j)
            F32x16::store(tile.p[first + i] + (t + j) * kKvTile, acc[i][j] * scale);
}

template <KvType kType, int kQueries>
void score(const AttentionChunk& c, const QueryTile& tile, Span span) {
    if constexpr (kQueries > 8) { // more queries than there are registers for their addresses
        score<kType, 8>(c, tile, span);
        score<kType, kQueries - 8>(c, tile, {span.first + 8, span.begin, span.end});
        return;
    }
    constexpr int kTiles = kVectorsAtOnce<kQueries>;
    const int last = (span.end + kKvTile - 1) / kKvTile;
    int t = span.begin / kKvTile;
    for (; t + kTiles <= last; t += kTiles)
        score_keys<kType, kQueries, kTiles>(c, tile, span.first, t);
    for (; t < last; ++t)
        score_keys<kType, kQueries, 1>(c, tile, span.first, t);
}

/// Lanes of the 16 keys from `key` on that are visible; `otherwise` in the others.
SOTTO_INLINE F32x16 visible(int key, int begin, int end, F32x16 a, F32x16 otherwise) {
    const int first = begin > key ? begin - key : 0;
    const int last = end < key + kKvTile ? end - key : kKvTile;
    return first == 0 && last == kKvTile ? a : F32x16::keep(first, last, a, otherwise);
}

/// The largest of scores p[begin..end), in each lane.
SOTTO_INLINE F32x16 largest(const float* p, int begin, int end) {
    const F32x16 lowest = F32x16::all(-__builtin_inff());
    F32x16 top = lowest;
    for (int key = begin / kKvTile * kKvTile; key < end; key += kKvTile)
        top = F32x16::max(visible(key, begin, end, F32x16::load(p + key), lowest), top);
    return top;
}

/// p[begin..end) from scores to e^(score - max); 0 in the rest of their tiles. Returns the sum, in
/// each lane.
SOTTO_INLINE F32x16 weigh(float* p, int begin, int end, float max) {
    const F32x16 zero = F32x16::all(0.0f), top = F32x16::all(max);
    F32x16 sum = zero;
    for (int key = begin / kKvTile * kKvTile; key < end; key += kKvTile) {
        const F32x16 e = exp_of(F32x16::load(p + key) - top);
        const F32x16 weight = visible(key, begin, end, e, zero);
        F32x16::store(p + key, weight);
        sum = sum + weight;
    }
    return sum;
}

/// All queries' weights, with their maxima and sums: one step for all, then the next, so that the
/// processor need not wait for one query's.
template <int kQueries>
void weigh_all(const QueryTile& tile, float* max, float* sum) {
    F32x16 lanes[kQueries];
    for (int i = 0; i < kQueries; ++i)
        lanes[i] = largest(tile.p[i], tile.begin[i], tile.end[i]);
    for (int i = 0; i < kQueries; ++i)
        max[i] = max_of_lanes(lanes[i]);
    for (int i = 0; i < kQueries; ++i)
        lanes[i] = weigh(tile.p[i], tile.begin[i], tile.end[i], max[i]);
    for (int i = 0; i < kQueries; ++i)
        sum[i] = sum_of_lanes(lanes[i]);
}
