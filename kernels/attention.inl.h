// SPDX-License-Identifier: Apache-2.0
// One chunk of attention (numerics, rule 6), for tiles of 12 or 8 queries (where the registers
// suffice) or of up to 4. Each sum is a chain of its own, so that the tiling changes no bit.
// Included inside an unnamed namespace.

#include "kernels/attention_scores.inl.h"

#include "kernels/attention_codes.inl.h"
#include "kernels/attention_values.inl.h"
#include "kernels/attention_widen.inl.h"

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
    return F32x16::first(exp_of(F32x16::all(x)));
}

/// Merges a later chunk's result into a state. A sum is 0 only where no chunk has come. o is padded
/// to 16.
void attention_merge(int head_dim, float max, float sum, const float* o, float* state_max,
                     float* state_sum, float* out) {
    const float old_max = *state_max, old_sum = *state_sum;
    if (old_sum == 0.0f) {
        *state_max = max;
        *state_sum = sum;
        __builtin_memcpy(out, o, static_cast<std::size_t>(head_dim) * sizeof(float));
        return;
    }
    const float new_max = old_max > max ? old_max : max;
    const float a = exp_of_one(old_max - new_max), b = exp_of_one(max - new_max);
    *state_max = new_max;
    *state_sum = __builtin_fmaf(old_sum, a, sum * b);
    merge_output(out, o, head_dim, a, b);
}

template <KvType kKeys, KvType kValues, int kQueries>
void attend(const AttentionChunk& c, const QueryTile& tile) {
    int begin = tile.begin[0], end = tile.end[0];
    for (int i = 1; i < kQueries; ++i) {
        begin = tile.begin[i] < begin ? tile.begin[i] : begin;
        end = tile.end[i] > end ? tile.end[i] : end;
    }
    if constexpr (kKeys == KvType::Q8_0)
        score_codes<kValues != KvType::F32>(c, tile, begin, end);
    else
        score<kKeys, kQueries>(c, tile, {0, begin, end});
    float max[kQueries], sum[kQueries];
    weigh_all<kQueries>(tile, max, sum);
    output<kValues, kQueries>(c, tile);
    for (int i = 0; i < kQueries; ++i) {
        const int query = tile.index[i];
        attention_merge(c.head_dim, max[i], sum[i], tile.o[i], c.max + query, c.sum + query,
                        c.out[query]);
    }
}

/// Tiles of up to 4 queries.
template <KvType kKeys, KvType kValues>
void attend_few(const AttentionChunk& c, const QueryTile& tile) {
    if (tile.n == 4)
        attend<kKeys, kValues, 4>(c, tile);
    else if (tile.n == 3)
        attend<kKeys, kValues, 3>(c, tile);
    else if (tile.n == 2)
        attend<kKeys, kValues, 2>(c, tile);
    else
        attend<kKeys, kValues, 1>(c, tile);
}

template <KvType kKeys, KvType kValues>
void attend_any(const AttentionChunk& c, const QueryTile& tile) {
    if (F32x16::kAccumulators >= 24 && tile.n == 12)
        attend<kKeys, kValues, F32x16::kAccumulators >= 24 ? 12 : 1>(c, tile);
    else if (F32x16::kAccumulators >= 16 && tile.n == 8)
        attend<kKeys, kValues, F32x16::kAccumulators >= 16 ? 8 : 1>(c, tile);
    else
        attend_few<kKeys, kValues>(c, tile);
}

/// Keys and values of different types, as a cache has them: rare, so that large tiles are left out
/// (where queries are many, widening has made the types the same but for codes).
bool mixed(const AttentionChunk& c) {
    return c.k_type != c.v_type && !(c.k_type == KvType::Q8_0 && c.v_type == KvType::F32);
}
void attend_mixed(const AttentionChunk& c, const QueryTile& tile) {
    if (c.k_type == KvType::F32 && c.v_type == KvType::F16)
        attend_few<KvType::F32, KvType::F16>(c, tile);
    else if (c.k_type == KvType::F32)
        attend_few<KvType::F32, KvType::Q8_0>(c, tile);
    else if (c.k_type == KvType::Q8_0)
        attend_few<KvType::Q8_0, KvType::F16>(c, tile);
    else if (c.v_type == KvType::F32)
        attend_few<KvType::F16, KvType::F32>(c, tile);
    else
        attend_few<KvType::F16, KvType::Q8_0>(c, tile);
}

void attend_all(const AttentionChunk& c, const QueryTile& tile) {
    if (mixed(c))
        attend_mixed(c, tile);
    else if (c.k_type == KvType::F32)
        attend_any<KvType::F32, KvType::F32>(c, tile);
    else if (c.k_type == KvType::F16)
        attend_any<KvType::F16, KvType::F16>(c, tile);
    else if (c.v_type == KvType::F32)
        attend_any<KvType::Q8_0, KvType::F32>(c, tile);
    else
        attend_any<KvType::Q8_0, KvType::Q8_0>(c, tile);
}

/// How many of the n_left next queries are taken together.
int tile_size(const AttentionChunk& c, int n_left) {
    if (F32x16::kAccumulators >= 24 && n_left >= 12 && !mixed(c))
        return 12;
    if (F32x16::kAccumulators >= 16 && n_left >= 8 && !mixed(c))
        return 8;
    return n_left < 4 ? n_left : 4;
}

/// Which queries see a key, and the keys that any of them sees.
struct Seen {
    int n_queries = 0, begin = kAttnChunk, end = 0;

    explicit Seen(const AttentionChunk& c) {
        for (int i = 0; i < c.n_queries; ++i)
            if (c.visible_begin[i] < c.visible_end[i]) {
                ++n_queries;
                begin = c.visible_begin[i] < begin ? c.visible_begin[i] : begin;
                end = c.visible_end[i] > end ? c.visible_end[i] : end;
            }
    }
};

/// Divides the scratch memory; returns what is left of it.
SOTTO_INLINE float* divide_scratch(const AttentionChunk& c, QueryTile& tile) {
    const int padded = padded_head_dim(c.head_dim);
    float* outputs = c.scratch + kTileQueries * kAttnChunk;
    for (int i = 0; i < kTileQueries; ++i) {
        tile.p[i] = c.scratch + i * kAttnChunk;
        tile.o[i] = outputs + i * padded;
    }
    tile.codes = reinterpret_cast<unsigned char*>(outputs + kTileQueries * padded);
    float* all = c.scratch + (kTileQueries * tile_query_floats(c.head_dim) + 15) / 16 * 16;
    tile.all_codes = reinterpret_cast<unsigned char*>(all);
    return all + all_codes_floats(c.n_queries, c.head_dim);
}

void attention_chunk(const AttentionChunk& given) {
    QueryTile tile;
    float* wide_memory = divide_scratch(given, tile);
    if (given.k_type == KvType::Q8_0 && !given.queries_known) {
        const CodeRows rows(tile.all_codes, given.n_queries, given.head_dim);
        for (int i = 0; i < given.n_queries; ++i)
            rows.quantize(i, given.q[i], given.head_dim);
    }
    Seen seen(given);
    AttentionChunk c = given;
    if (!c.next_k_tiles)
        c.next_k_tiles = c.k_tiles;
    WideTiles wide;
    if (seen.n_queries > kTileQueries)
        widen(c, seen.begin, seen.end, wide_memory, wide);
    for (int query = 0; seen.n_queries > 0; ++query) {
        const int begin = c.visible_begin[query], end = c.visible_end[query];
        if (begin >= end)
            continue;
        tile.index[tile.n] = query;
        tile.begin[tile.n] = begin;
        tile.end[tile.n] = end;
        tile.q[tile.n++] = c.q[query];
        if (tile.n == tile_size(c, seen.n_queries)) {
            seen.n_queries -= tile.n;
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
