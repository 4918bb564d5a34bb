// SPDX-License-Identifier: Apache-2.0
// One chunk of attention (numerics, rule 6), for tiles of 8 queries (where the registers suffice)
// or of up to 4. Lanes are keys while scores are formed and dimensions while values are added up;
// each sum is a chain of its own, so that the tiling changes no bit. Included inside an unnamed
// namespace.

/// Queries of a chunk, each with at least one visible key.
struct QueryTile {
    int n = 0;
    int index[kTileQueries]; // in the chunk
    int begin[kTileQueries], end[kTileQueries];
    const float* q[kTileQueries];
    float* p[kTileQueries]; // [256] scores, then weights, by key; one after the other in memory
    float* o[kTileQueries]; // [padded_head_dim] the chunk's output
    unsigned char* codes;   // memory for the queries' QueryCodes
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

template <KvType kType>
SOTTO_INLINE F32x16 load_8(const void* tile, int index) {
    if constexpr (kType == KvType::F32)
        return F32x16::load8(static_cast<const float*>(tile) + index);
    else
        return F32x16::load8_f16(static_cast<const std::uint16_t*>(tile) + index);
}

/// Vectors that a tile of kQueries takes at once, by the accumulators there are.
template <int kQueries>
constexpr int kVectorsAtOnce = F32x16::kAccumulators / kQueries >= 4   ? 4
                               : F32x16::kAccumulators / kQueries >= 2 ? 2
                                                                       : 1;

/// Scores of the kTiles * 16 keys from key tile t on.
template <KvType kType, int kQueries, int kTiles>
SOTTO_INLINE void score_keys(const AttentionChunk& c, const QueryTile& tile, int t) {
    const void* keys[kTiles];
    for (int j = 0; j < kTiles; ++j)
        keys[j] = c.k_tiles[t + j];
    const float* q[kQueries];
    F32x16 acc[kQueries][kTiles];
    for (int i = 0; i < kQueries; ++i) {
        q[i] = tile.q[i];
        for (int j = 0; j < kTiles; ++j)
            acc[i][j] = F32x16::all(0.0f);
    }
    for (int d = 0; d < c.head_dim; ++d) {
        F32x16 k[kTiles];
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
            F32x16::store(tile.p[i] + (t + j) * kKvTile, acc[i][j] * scale);
}

template <KvType kType, int kQueries>
void score(const AttentionChunk& c, const QueryTile& tile, int begin, int end) {
    constexpr int kTiles = kVectorsAtOnce<kQueries>;
    const int last = (end + kKvTile - 1) / kKvTile;
    int t = begin / kKvTile;
    for (; t + kTiles <= last; t += kTiles)
        score_keys<kType, kQueries, kTiles>(c, tile, t);
    for (; t < last; ++t)
        score_keys<kType, kQueries, 1>(c, tile, t);
}

/// Scores of Q8_0 keys: the queries are quantised too.
void score_codes(const AttentionChunk& c, const QueryTile& tile, int begin, int end) {
    const int n_blocks = kv_blocks(c.head_dim);
    unsigned char* memory = tile.codes + kTileQueries * n_blocks * kQueryTileBytes;
    auto* sums = reinterpret_cast<std::int32_t*>(memory);
    auto* scales = reinterpret_cast<float*>(sums + 2 * kTileQueries * n_blocks);
    auto* q = reinterpret_cast<std::int8_t*>(scales + kTileQueries * n_blocks);
    for (int i = 0; i < tile.n; ++i)
        quantize_row(tile.q[i], c.head_dim, q + i * n_blocks * 32, scales + i * n_blocks,
                     sums + 2 * i * n_blocks);
    const std::int64_t q_stride = std::int64_t{32} * n_blocks;
    QueryCodes codes;
    codes.fill({tile.n, nullptr, 0, q, q_stride, scales, n_blocks, sums}, n_blocks, tile.codes);
    const int first = begin / kKvTile, last = (end + kKvTile - 1) / kKvTile;
    for (int t = first; t < last;)
        t += codes.multiply(c.k_tiles + t, last - t, tile.p[0] + t * kKvTile, kAttnChunk);
    const F32x16 scale = F32x16::all(c.scale);
    for (int i = 0; i < tile.n; ++i)
        for (float* p = tile.p[i] + first * kKvTile; p < tile.p[i] + last * kKvTile; p += kKvTile)
            F32x16::store(p, F32x16::load(p) * scale);
}

/// Lanes of the 16 keys from `key` on that are visible; `otherwise` in the others.
SOTTO_INLINE F32x16 visible(int key, int begin, int end, F32x16 a, F32x16 otherwise) {
    const int first = begin > key ? begin - key : 0;
    const int last = end < key + kKvTile ? end - key : kKvTile;
    return first == 0 && last == kKvTile ? a : F32x16::keep(first, last, a, otherwise);
}

/// p[begin..end) from scores to e^(score - max); 0 in the rest of their tiles. Returns the sum.
float weigh(float* p, int begin, int end, float& max) {
    const F32x16 lowest = F32x16::all(-__builtin_inff()), zero = F32x16::all(0.0f);
    const int first = begin / kKvTile * kKvTile;
    F32x16 top = lowest;
    for (int key = first; key < end; key += kKvTile)
        top = F32x16::max(visible(key, begin, end, F32x16::load(p + key), lowest), top);
    max = max_of_lanes(top);
    F32x16 sum = zero;
    for (int key = first; key < end; key += kKvTile) {
        const F32x16 e = exp_of(F32x16::load(p + key) - F32x16::all(max));
        const F32x16 weight = visible(key, begin, end, e, zero);
        F32x16::store(p + key, weight);
        sum = sum + weight;
    }
    return sum_of_lanes(sum);
}

/// o[d..d+16*kVectors) += sum of p[key] * v[key]; kHalf: only 8 dimensions are left.
template <KvType kType, int kQueries, int kVectors, bool kHalf>
SOTTO_INLINE void add_values(const AttentionChunk& c, const QueryTile& tile, Span span, int d) {
    const float* p[kQueries];
    F32x16 acc[kQueries][kVectors];
    for (int i = 0; i < kQueries; ++i) {
        p[i] = tile.p[span.first + i];
        for (int j = 0; j < kVectors; ++j)
            acc[i][j] = F32x16::load(tile.o[span.first + i] + d + 16 * j);
    }
    for (int key = span.begin; key < span.end;) {
        const void* values = c.v_tiles[key / kKvTile];
        const int tile_end = key / kKvTile * kKvTile + kKvTile;
        const int stop = tile_end < span.end ? tile_end : span.end;
        int index = key % kKvTile * c.head_dim + d;
        for (; key < stop; ++key, index += c.head_dim) {
            F32x16 v[kVectors];
            for (int j = 0; j < kVectors; ++j)
                v[j] =
                    kHalf ? load_8<kType>(values, index) : load_16<kType>(values, index + 16 * j);
            for (int i = 0; i < kQueries; ++i) {
                const F32x16 weight = F32x16::all(p[i][key]);
                for (int j = 0; j < kVectors; ++j)
                    acc[i][j] = F32x16::fma(weight, v[j], acc[i][j]);
            }
        }
    }
    for (int i = 0; i < kQueries; ++i)
        for (int j = 0; j < kVectors; ++j)
            F32x16::store(tile.o[span.first + i] + d + 16 * j, acc[i][j]);
}

/// The same for Q8_0 values: o += (p[key] * scale) * code, 16 * kVectors dimensions.
template <int kQueries, int kVectors>
SOTTO_INLINE void add_codes(const AttentionChunk& c, const QueryTile& tile, Span span, int d) {
    constexpr int kBlocks = (kVectors + 1) / 2; // of 32 dimensions
    const int n_blocks = kv_blocks(c.head_dim);
    F32x16 acc[kQueries][kVectors];
    for (int i = 0; i < kQueries; ++i)
        for (int j = 0; j < kVectors; ++j)
            acc[i][j] = F32x16::load(tile.o[span.first + i] + d + 16 * j);
    for (int key = span.begin; key < span.end;) {
        const int origin = key / kKvTile * kKvTile;
        const auto* scales = static_cast<const std::uint16_t*>(c.v_tiles[key / kKvTile]);
        const auto* codes = reinterpret_cast<const std::int8_t*>(scales + n_blocks * kKvTile) + d;
        float weights[kQueries][kBlocks][kKvTile];
        for (int b = 0; b < kBlocks; ++b) {
            const F32x16 scale = F32x16::load_f16(scales + (d / 32 + b) * kKvTile);
            for (int i = 0; i < kQueries; ++i)
                F32x16::store(weights[i][b], F32x16::load(tile.p[span.first + i] + origin) * scale);
        }
        const int stop = origin + kKvTile < span.end ? origin + kKvTile : span.end;
        for (; key < stop; ++key) {
            F32x16 v[kVectors];
            for (int j = 0; j < kVectors; ++j)
                v[j] = F32x16::load_i8(codes + (key - origin) * 32 * n_blocks + 16 * j);
            for (int i = 0; i < kQueries; ++i)
                for (int j = 0; j < kVectors; ++j)
                    acc[i][j] =
                        F32x16::fma(F32x16::all(weights[i][j / 2][key - origin]), v[j], acc[i][j]);
        }
    }
    for (int i = 0; i < kQueries; ++i)
        for (int j = 0; j < kVectors; ++j)
            F32x16::store(tile.o[span.first + i] + d + 16 * j, acc[i][j]);
}

template <int kQueries>
void add_codes_of(const AttentionChunk& c, const QueryTile& tile, Span span) {
    constexpr int kVectors = kVectorsAtOnce<kQueries>;
    int d = 0;
    for (; d + 16 * kVectors <= padded_head_dim(c.head_dim); d += 16 * kVectors)
        add_codes<kQueries, kVectors>(c, tile, span, d);
    for (; d < c.head_dim; d += 16)
        add_codes<kQueries, 1>(c, tile, span, d);
}

template <KvType kType, int kQueries>
void add_values_of(const AttentionChunk& c, const QueryTile& tile, Span span) {
    constexpr int kVectors = kVectorsAtOnce<kQueries>;
    if (span.begin >= span.end)
        return;
    if constexpr (kType == KvType::Q8_0)
        return add_codes_of<kQueries>(c, tile, span);
    int d = 0;
    for (; d + 16 * kVectors <= c.head_dim; d += 16 * kVectors)
        add_values<kType, kQueries, kVectors, false>(c, tile, span, d);
    for (; d + 16 <= c.head_dim; d += 16)
        add_values<kType, kQueries, 1, false>(c, tile, span, d);
    if (d < c.head_dim)
        add_values<kType, kQueries, 1, true>(c, tile, span, d);
}

/// The keys that all queries see are added together, those before and after for each query: no
/// masked value is ever touched, so that none can matter.
template <KvType kType, int kQueries>
void output(const AttentionChunk& c, const QueryTile& tile) {
    int begin = tile.begin[0], end = tile.end[0];
    for (int i = 1; i < kQueries; ++i) {
        begin = tile.begin[i] > begin ? tile.begin[i] : begin;
        end = tile.end[i] < end ? tile.end[i] : end;
    }
    if (begin >= end)
        begin = end = kAttnChunk; // no key is common: all come before
    for (int i = 0; i < kQueries; ++i) {
        for (int d = 0; d < c.head_dim; d += 16)
            F32x16::store(tile.o[i] + d, F32x16::all(0.0f));
        const int stop = tile.end[i] < begin ? tile.end[i] : begin;
        add_values_of<kType, 1>(c, tile, {i, tile.begin[i], stop});
    }
    add_values_of<kType, kQueries>(c, tile, {0, begin, end});
    for (int i = 0; i < kQueries; ++i)
        add_values_of<kType, 1>(c, tile, {i, end, tile.end[i]});
}

/// out = out * a + o * b, [head_dim].
SOTTO_INLINE void merge_output(float* out, const float* o, int head_dim, float a, float b) {
    const F32x16 old_factor = F32x16::all(a), factor = F32x16::all(b);
    for (int d = 0; d < head_dim; d += 16) {
        const int n = head_dim - d < 16 ? 8 : 16;
        const F32x16 old = n == 16 ? F32x16::load(out + d) : F32x16::load8(out + d);
        const F32x16 sum = F32x16::fma(old, old_factor, F32x16::load(o + d) * factor);
        F32x16::store_first(out + d, n, sum);
    }
}

SOTTO_INLINE float exp_of_one(float x) {
    float lanes[16];
    F32x16::store(lanes, exp_of(F32x16::all(x)));
    return lanes[0];
}

/// Merges a query's result for the chunk into its state. A sum is 0 only before the first chunk.
void merge(const AttentionChunk& c, int query, float max, float sum, const float* o) {
    float* out = c.out[query];
    const float old_max = c.max[query], old_sum = c.sum[query];
    if (old_sum == 0.0f) {
        c.max[query] = max;
        c.sum[query] = sum;
        __builtin_memcpy(out, o, static_cast<std::size_t>(c.head_dim) * sizeof(float));
        return;
    }
    const float new_max = old_max > max ? old_max : max;
    const float a = exp_of_one(old_max - new_max), b = exp_of_one(max - new_max);
    c.max[query] = new_max;
    c.sum[query] = __builtin_fmaf(old_sum, a, sum * b);
    merge_output(out, o, c.head_dim, a, b);
}

template <KvType kType, int kQueries>
void attend(const AttentionChunk& c, const QueryTile& tile) {
    int begin = tile.begin[0], end = tile.end[0];
    for (int i = 1; i < kQueries; ++i) {
        begin = tile.begin[i] < begin ? tile.begin[i] : begin;
        end = tile.end[i] > end ? tile.end[i] : end;
    }
    if constexpr (kType == KvType::Q8_0)
        score_codes(c, tile, begin, end);
    else
        score<kType, kQueries>(c, tile, begin, end);
    float max[kQueries], sum[kQueries];
    for (int i = 0; i < kQueries; ++i)
        sum[i] = weigh(tile.p[i], tile.begin[i], tile.end[i], max[i]);
    output<kType, kQueries>(c, tile);
    for (int i = 0; i < kQueries; ++i)
        merge(c, tile.index[i], max[i], sum[i], tile.o[i]);
}

template <KvType kType>
void attend_any(const AttentionChunk& c, const QueryTile& tile) {
    if (F32x16::kAccumulators >= 16 && tile.n == 8)
        attend<kType, F32x16::kAccumulators >= 16 ? 8 : 1>(c, tile);
    else if (tile.n == 4)
        attend<kType, 4>(c, tile);
    else if (tile.n == 3)
        attend<kType, 3>(c, tile);
    else if (tile.n == 2)
        attend<kType, 2>(c, tile);
    else
        attend<kType, 1>(c, tile);
}

void attend_all(const AttentionChunk& c, const QueryTile& tile) {
    if (c.kv_type == KvType::F32)
        attend_any<KvType::F32>(c, tile);
    else if (c.kv_type == KvType::F16)
        attend_any<KvType::F16>(c, tile);
    else
        attend_any<KvType::Q8_0>(c, tile);
}

/// How many of the n_left next queries are taken together.
int tile_size(int n_left) {
    if (F32x16::kAccumulators >= 16 && n_left >= 8)
        return 8;
    return n_left < 4 ? n_left : 4;
}

void attention_chunk(const AttentionChunk& c) {
    QueryTile tile;
    tile.codes = reinterpret_cast<unsigned char*>(
        c.scratch + kTileQueries * (kAttnChunk + padded_head_dim(c.head_dim)));
    for (int i = 0; i < kTileQueries; ++i) {
        tile.p[i] = c.scratch + i * kAttnChunk;
        tile.o[i] = c.scratch + kTileQueries * kAttnChunk + i * padded_head_dim(c.head_dim);
    }
    int n_left = 0; // queries that see a key
    for (int query = 0; query < c.n_queries; ++query)
        n_left += c.visible_begin[query] < c.visible_end[query] ? 1 : 0;
    for (int query = 0; n_left > 0; ++query) {
        const int begin = c.visible_begin[query], end = c.visible_end[query];
        if (begin >= end)
            continue;
        tile.index[tile.n] = query;
        tile.begin[tile.n] = begin;
        tile.end[tile.n] = end;
        tile.q[tile.n++] = c.q[query];
        if (tile.n == tile_size(n_left)) {
            n_left -= tile.n;
            attend_all(c, tile);
            tile.n = 0;
        }
    }
}

void attention_finish(float* out, float sum, int head_dim) {
    const F32x16 total = F32x16::all(sum);
    for_each_16(head_dim, [&](std::int64_t, auto load, auto store)
                              SOTTO_INLINE_LAMBDA { store(out, load(out) / total); });
}
