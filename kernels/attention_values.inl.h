// SPDX-License-Identifier: Apache-2.0
// Attention: the weighted sum of the values (numerics, rule 6). Lanes are dimensions, each a chain
// over the keys. Included inside an unnamed namespace.

/// A tile's values as floats, exactly: dimensions d..d+16*kVectors; kHalf: only 8 are left.
template <KvType kType, int kVectors, bool kHalf>
struct Values {
    const void* tile;
    int stride, d;

    SOTTO_MEMBER void open(const void* values, int head_dim, int first) {
        tile = values;
        stride = head_dim;
        d = first;
    }
    static constexpr int kPerLine = 2; // vectors
    /// Bytes from the tile's begin; F16.
    SOTTO_MEMBER int offset(int key, int j) const { return 2 * (key * stride + d + 16 * j); }
    SOTTO_MEMBER F32x16 load(int key, int j) const {
        const int at = key * stride + d + 16 * j;
        if constexpr (kType == KvType::F32) {
            const float* p = static_cast<const float*>(tile) + at;
            return kHalf ? F32x16::load8(p) : F32x16::load(p);
        } else {
            const auto* p = static_cast<const std::uint16_t*>(tile) + at;
            return kHalf ? F32x16::load8_f16(p) : F32x16::load_f16(p);
        }
    }
};

/// code * scale: 8 and 11 bits, so that no product is rounded. What head_dim leaves of a block is
/// zeros.
template <int kVectors, bool kHalf>
struct Values<KvType::Q8_0, kVectors, kHalf> {
    static constexpr int kBlocks = (kVectors + 1) / 2;
    const std::int8_t* codes;
    int stride, d;
    float scales[kBlocks][kKvTile];

    SOTTO_MEMBER void open(const void* values, int head_dim, int first) {
        const int n_blocks = kv_blocks(head_dim);
        const auto* halves = static_cast<const std::uint16_t*>(values);
        codes = reinterpret_cast<const std::int8_t*>(halves + n_blocks * kKvTile) + first;
        stride = 32 * n_blocks;
        d = first;
        for (int b = 0; b < kBlocks; ++b)
            F32x16::store(scales[b], F32x16::load_f16(halves + (first / 32 + b) * kKvTile));
    }
    static constexpr int kPerLine = 4;
    SOTTO_MEMBER int offset(int key, int j) const { return stride + key * stride + d + 16 * j; }
    SOTTO_MEMBER F32x16 load(int key, int j) const {
        return F32x16::load_i8(codes + key * stride + 16 * j) * F32x16::all(scales[j / 2][key]);
    }
};

/// o[d..d+16*kVectors) += sum of p[key] * v[key]
template <KvType kType, int kQueries, int kVectors, bool kHalf>
SOTTO_INLINE void add_values(const AttentionChunk& c, const QueryTile& tile, Span span, int d) {
    const float* p = tile.p[span.first]; // and kAttnChunk further the next query's
    F32x16 acc[kQueries][kVectors];
    for (int i = 0; i < kQueries; ++i) {
        for (int j = 0; j < kVectors; ++j)
            acc[i][j] = F32x16::load(tile.o[span.first + i] + d + 16 * j);
    }
    for (int key = span.begin; key < span.end;) {
        Values<kType, kVectors, kHalf> values;
        values.open(c.v_tiles[key / kKvTile], c.head_dim, d);
        const auto* next = static_cast<const char*>(c.next_k_tiles[key / kKvTile]);
        const int tile_end = key / kKvTile * kKvTile + kKvTile;
        const int stop = tile_end < span.end ? tile_end : span.end;
        for (; key < stop; ++key) {
            F32x16 v[kVectors];
            for (int j = 0; j < kVectors; ++j)
                v[j] = values.load(key % kKvTile, j);
            for (int j = 0; j < kVectors && kType != KvType::F32; j += values.kPerLine)
                SOTTO_PREFETCH(next + values.offset(key % kKvTile, j));
            for (int i = 0; i < kQueries; ++i) {
                const F32x16 weight = F32x16::all(p[i * kAttnChunk + key]);
                for (int j = 0; j < kVectors; ++j)
                    acc[i][j] = F32x16::fma(weight, v[j], acc[i][j]);
            }
        }
    }
    for (int i = 0; i < kQueries; ++i)
        for (int j = 0; j < kVectors; ++j)
            F32x16::store(tile.o[span.first + i] + d + 16 * j, acc[i][j]);
}

template <KvType kType, int kQueries>
void add_values_of(const AttentionChunk& c, const QueryTile& tile, Span span) {
    constexpr int kVectors = kVectorsAtOnce<kQueries>;
    if (span.begin >= span.end)
        return;
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
