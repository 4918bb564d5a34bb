// SPDX-License-Identifier: Apache-2.0
// Attention over one chunk of keys (numerics, rule 6). Included by vector_ops.inl.h.

void store_k(KvType type, const float* k, int head_dim, int lane, void* tile) {
    if (type == KvType::F32) {
        float* to = static_cast<float*>(tile) + lane;
        for (int d = 0; d < head_dim; ++d)
            to[d * kKvTile] = k[d];
        return;
    }
    std::uint16_t* to = static_cast<std::uint16_t*>(tile) + lane;
    for (int d = 0; d < head_dim; d += 16) {
        const int n = head_dim - d < 16 ? head_dim - d : 16;
        std::uint16_t half[16];
        F32x16::store_f16(half, load_some(k + d, n));
        for (int i = 0; i < n; ++i)
            to[(d + i) * kKvTile] = half[i];
    }
}

void store_v(KvType type, const float* v, int head_dim, int lane, void* tile) {
    if (type == KvType::F32) {
        __builtin_memcpy(static_cast<float*>(tile) + lane * head_dim, v, static_cast<std::size_t>(head_dim) * sizeof(float));
        return;
    }
    std::uint16_t* to = static_cast<std::uint16_t*>(tile) + lane * head_dim;
    for (int d = 0; d < head_dim; d += 16) {
        const int n = head_dim - d < 16 ? head_dim - d : 16;
        std::uint16_t half[16];
        F32x16::store_f16(half, load_some(v + d, n));
        __builtin_memcpy(to + d, half, static_cast<std::size_t>(n) * sizeof(std::uint16_t));
    }
}

template <KvType kType>
SOTTO_INLINE F32x16 load_kv(const void* p, int i) {
    if constexpr (kType == KvType::F32)
        return F32x16::load(static_cast<const float*>(p) + i);
    else
        return F32x16::load_f16(static_cast<const std::uint16_t*>(p) + i);
}

template <KvType kType>
SOTTO_INLINE F32x16 load_kv8(const void* p, int i) {
    if constexpr (kType == KvType::F32)
        return F32x16::load8(static_cast<const float*>(p) + i);
    else
        return F32x16::load8_f16(static_cast<const std::uint16_t*>(p) + i);
}

/// Scores of kQueries queries with the keys of a tile: each a chain over the dimensions.
template <KvType kType, int kQueries>
SOTTO_INLINE void score_tile(const AttentionChunk& c, int first, const void* tile, float* scores) {
    F32x16 acc[kQueries];
    for (int j = 0; j < kQueries; ++j)
        acc[j] = F32x16::all(0.0f);
    for (int d = 0; d < c.head_dim; ++d) {
        const F32x16 k = load_kv<kType>(tile, d * kKvTile);
        for (int j = 0; j < kQueries; ++j)
            acc[j] = F32x16::fma(F32x16::all(c.q[first + j][d]), k, acc[j]);
    }
    for (int j = 0; j < kQueries; ++j)
        F32x16::store(scores + j * kAttnChunk, acc[j] * F32x16::all(c.scale));
}

template <KvType kType, int kQueries>
void score_queries(const AttentionChunk& c, int first, float* scores) {
    for (int t = 0; t * kKvTile < c.n_keys; ++t)
        score_tile<kType, kQueries>(c, first, c.k_tiles[t], scores + t * kKvTile);
}

/// p = exp(score - max) of the keys [begin, end), 0 elsewhere in their tiles; max and sum of the chunk.
SOTTO_INLINE void softmax_keys(float* p, int begin, int end, float& max, float& sum) {
    const int first = begin / 16 * 16;
    F32x16 m = F32x16::all(-__builtin_inff());
    for (int i = first; i < end; i += 16) {
        const int low = begin > i ? begin - i : 0, high = end - i < 16 ? end - i : 16;
        m = F32x16::keep(low, high, F32x16::max(F32x16::load(p + i), m), m);
    }
    max = max_lanes(m);
    F32x16 s = F32x16::all(0.0f);
    for (int i = first; i < end; i += 16) {
        const int low = begin > i ? begin - i : 0, high = end - i < 16 ? end - i : 16;
        const F32x16 e = exp_of(F32x16::load(p + i) - F32x16::all(max));
        const F32x16 kept = F32x16::keep(low, high, e, F32x16::all(0.0f));
        s = F32x16::keep(low, high, s + e, s);
        F32x16::store(p + i, kept);
    }
    sum = sum_lanes(s);
}

/// o[0..16*kVectors) += p * v over the keys [begin, end), in order, from dimension d on.
template <KvType kType, int kVectors>
SOTTO_INLINE void weigh_values(const AttentionChunk& c, const float* p, int begin, int end, int d, float* o) {
    F32x16 acc[kVectors];
    for (int j = 0; j < kVectors; ++j)
        acc[j] = F32x16::all(0.0f);
    for (int key = begin; key < end; ++key) {
        const void* tile = c.v_tiles[key / kKvTile];
        const int row = key % kKvTile * c.head_dim + d;
        const F32x16 weight = F32x16::all(p[key]);
        for (int j = 0; j < kVectors; ++j)
            acc[j] = F32x16::fma(weight, load_kv<kType>(tile, row + 16 * j), acc[j]);
    }
    for (int j = 0; j < kVectors; ++j)
        F32x16::store(o + d + 16 * j, acc[j]);
}

template <KvType kType>
void weigh_all(const AttentionChunk& c, const float* p, int begin, int end, float* o) {
    int d = 0;
    for (; d + 64 <= c.head_dim; d += 64)
        weigh_values<kType, 4>(c, p, begin, end, d, o);
    for (; d + 16 <= c.head_dim; d += 16)
        weigh_values<kType, 1>(c, p, begin, end, d, o);
    if (d < c.head_dim) { // 8 dimensions are left
        F32x16 acc = F32x16::all(0.0f);
        for (int key = begin; key < end; ++key)
            acc = F32x16::fma(F32x16::all(p[key]), load_kv8<kType>(c.v_tiles[key / kKvTile], key % kKvTile * c.head_dim + d), acc);
        F32x16::store_first(o + d, 8, acc);
    }
}

/// Merges a chunk's output into a query's running state.
SOTTO_INLINE void merge_chunk(float& max, float& sum, float* out, float chunk_max, float chunk_sum, const float* o, int n) {
    if (sum == 0.0f && max == -__builtin_inff()) {
        max = chunk_max;
        sum = chunk_sum;
        __builtin_memcpy(out, o, static_cast<std::size_t>(n) * sizeof(float));
        return;
    }
    const float new_max = max > chunk_max ? max : chunk_max;
    float factors[16];
    F32x16 pair = F32x16::keep(0, 1, F32x16::all(max - new_max), F32x16::all(chunk_max - new_max));
    F32x16::store(factors, exp_of(pair));
    const F32x16 a = F32x16::all(factors[0]), b = F32x16::all(factors[1]);
    sum = __builtin_fmaf(sum, factors[0], chunk_sum * factors[1]);
    max = new_max;
    for_vectors(n, [&](std::int64_t i, int lanes) {
        store_some(out + i, lanes, F32x16::fma(load_some(out + i, lanes), a, load_some(o + i, lanes) * b));
    });
}

template <KvType kType>
void attend_chunk(const AttentionChunk& c) {
    float* scores = c.scratch;
    float* o = c.scratch + 4 * kAttnChunk;
    for (int first = 0; first < c.n_queries; first += 4) {
        const int n = c.n_queries - first < 4 ? c.n_queries - first : 4;
        if (n == 4)
            score_queries<kType, 4>(c, first, scores);
        else
            for (int j = 0; j < n; ++j)
                score_queries<kType, 1>(c, first + j, scores + j * kAttnChunk);
        for (int j = 0; j < n; ++j) {
            const int q = first + j;
            const int begin = c.visible_begin[q], end = c.visible_end[q];
            if (begin >= end)
                continue;
            float max, sum;
            softmax_keys(scores + j * kAttnChunk, begin, end, max, sum);
            weigh_all<kType>(c, scores + j * kAttnChunk, begin, end, o);
            merge_chunk(c.max[q], c.sum[q], c.out[q], max, sum, o, c.head_dim);
        }
    }
}

void attention_chunk(const AttentionChunk& c) {
    if (c.kv_type == KvType::F32)
        attend_chunk<KvType::F32>(c);
    else
        attend_chunk<KvType::F16>(c);
}

void attention_finish(float* out, float sum, int head_dim) {
    const F32x16 s = F32x16::all(sum);
    for_vectors(head_dim, [&](std::int64_t i, int lanes) { store_some(out + i, lanes, load_some(out + i, lanes) / s); });
}
