// SPDX-License-Identifier: Apache-2.0
// Attention over the pages. A task is a tile of rows and a KV head with its query heads, over all
// chunks of 256 positions; where that makes too few tasks, a task is a span of chunks, and another
// operation merges what each chunk left, in order: the same arithmetic either way.
#include "engine/model/ops.h"

#include <algorithm>
#include <array>
#include <limits>

namespace sotto::model::ops {
namespace {

constexpr int kMaxQueries = 96;
constexpr int kChunkTiles = kernels::kAttnChunk / kernels::kKvTile;

/// The queries of one task and their running softmax state.
struct Queries {
    int n = 0;
    std::array<const float*, kMaxQueries> q;
    std::array<float*, kMaxQueries> out;
    std::array<float, kMaxQueries> max, sum;
    std::array<std::int32_t, kMaxQueries> pos{};
    std::array<int, kMaxQueries> begin, end;

    void clear() { n = 0; }
    void add(const float* query, float* output, std::int32_t position) {
        const auto i = static_cast<std::size_t>(n++);
        q[i] = query;
        out[i] = output;
        pos[i] = position;
        max[i] = -std::numeric_limits<float>::infinity();
        sum[i] = 0.0f;
    }
    [[nodiscard]] std::int32_t last_pos() const {
        return *std::max_element(pos.begin(), pos.begin() + n);
    }
    /// Sets the keys of the chunk that begins at `first` which each query sees.
    void look_at(std::int32_t first, int n_keys, int window) {
        for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
            const std::int32_t oldest = window > 0 ? pos[i] + 1 - window : 0;
            end[i] = std::clamp(pos[i] + 1 - first, 0, n_keys);
            begin[i] = std::clamp(oldest - first, 0, n_keys);
        }
    }
};

/// What a task is: rows [tile.begin, tile.end), query heads [head_begin, head_end) of a KV head.
struct Task {
    RowTile tile;
    int kv_head, head_begin, head_end, span;

    Task(const StepContext& c, std::int64_t index) {
        const int group = c.config.n_head / c.config.n_head_kv;
        const int heads = c.attention_cut.heads;
        const int parts = (group + heads - 1) / heads;
        span = static_cast<int>(index % c.attention_cut.n_spans());
        index /= c.attention_cut.n_spans();
        const int part = static_cast<int>(index % parts);
        index /= parts;
        kv_head = static_cast<int>(index % c.config.n_head_kv);
        tile = c.tiles[static_cast<std::size_t>(index / c.config.n_head_kv)];
        head_begin = kv_head * group + part * heads;
        head_end = std::min(head_begin + heads, (kv_head + 1) * group);
    }
};

std::int64_t n_tasks(const StepContext& c) {
    const int group = c.config.n_head / c.config.n_head_kv;
    const int heads = c.attention_cut.heads;
    return static_cast<std::int64_t>(c.tiles.size()) * c.config.n_head_kv *
           ((group + heads - 1) / heads) * c.attention_cut.n_spans();
}

using Tiles = std::array<const void*, kChunkTiles>;

/// The chunk's tiles up to position `last`, its tile in the places left over; K (0) or V (1).
void find_tiles(const StepContext& c, std::int64_t layer, const Task& task, int chunk,
                std::int32_t last, bool values, Tiles& tiles) {
    const cache::KvSequence& kv = *c.rows[static_cast<std::size_t>(task.tile.begin)].kv;
    for (int t = 0; t < kChunkTiles; ++t) {
        const int tile = std::min(chunk * kChunkTiles + t, last / kernels::kKvTile);
        tiles[static_cast<std::size_t>(t)] =
            values ? kv.v_tile(static_cast<int>(layer), task.kv_head, tile)
                   : kv.k_tile(static_cast<int>(layer), task.kv_head, tile);
    }
}

/// Which chunks of a task come before and after one.
struct Place {
    bool first, last;
};

/// The queries' attention over one chunk of 256 positions, merged into their state.
void attend_chunk(StepContext& c, std::int64_t layer, const Task& task, int chunk, Place place,
                  Queries& queries, int worker) {
    Tiles k_tiles, v_tiles, next_tiles;
    const std::int32_t first = chunk * kernels::kAttnChunk, last = queries.last_pos();
    find_tiles(c, layer, task, chunk, last, false, k_tiles);
    find_tiles(c, layer, task, chunk, last, true, v_tiles);
    kernels::AttentionChunk a;
    a.k_type = c.k_type;
    a.v_type = c.v_type;
    a.head_dim = c.config.head_dim;
    a.n_keys = std::min(last + 1 - first, kernels::kAttnChunk);
    a.k_tiles = k_tiles.data();
    a.v_tiles = v_tiles.data();
    a.n_queries = queries.n;
    a.q = queries.q.data();
    queries.look_at(first, a.n_keys, c.config.layers[static_cast<std::size_t>(layer)].window);
    a.visible_begin = queries.begin.data();
    a.visible_end = queries.end.data();
    a.scale = c.config.attn_scale;
    a.max = queries.max.data();
    a.sum = queries.sum.data();
    a.out = queries.out.data();
    a.scratch = reinterpret_cast<float*>(c.scratch[static_cast<std::size_t>(worker)].data());
    a.queries_known = !place.first;
    if (!place.last) {
        find_tiles(c, layer, task, chunk + 1, last, false, next_tiles);
        a.next_k_tiles = next_tiles.data();
    }
    c.kernel.attention_chunk(a);
}

/// The first chunk that a row at `pos` sees a key of.
int first_chunk(const StepContext& c, std::int64_t layer, std::int32_t pos) {
    const int window = c.config.layers[static_cast<std::size_t>(layer)].window;
    return window > 0 ? std::max(0, pos + 1 - window) / kernels::kAttnChunk : 0;
}

/// All chunks in order; those that a window has left behind are skipped.
void run_attention(void* context, std::int64_t layer, std::int64_t index, int worker) {
    StepContext& c = context_of(context);
    const int head_dim = c.config.head_dim;
    const Task task(c, index);
    Queries queries;
    for (int i = task.tile.begin; i < task.tile.end; ++i) {
        for (int h = task.head_begin; h < task.head_end; ++h) {
            queries.add(c.q.row(i) + h * head_dim, c.attn.row(i) + h * head_dim,
                        c.rows[static_cast<std::size_t>(i)].pos);
        }
    }
    const int last = queries.last_pos() / kernels::kAttnChunk;
    const int first = first_chunk(c, layer, queries.pos[0]);
    for (int chunk = first; chunk <= last; ++chunk) {
        attend_chunk(c, layer, task, chunk, {chunk == first, chunk == last}, queries, worker);
    }
    for (std::size_t i = 0; i < static_cast<std::size_t>(queries.n); ++i) {
        c.kernel.attention_finish(queries.out[i], queries.sum[i], head_dim);
    }
}

/// Where a query's result for a chunk lies: its output [head_dim, padded to 16], maximum and sum.
float* partial(StepContext& c, std::int64_t row, int head, int chunk) {
    return c.attn_partial.row((row * c.config.n_head + head) * c.attention_cut.n_chunks + chunk);
}

/// One chunk of a span, on fresh states. The sum stays 0 where a query sees no key of it.
void attend_apart(StepContext& c, std::int64_t layer, const Task& task, int chunk, int worker,
                  Queries& queries) {
    const int head_dim = c.config.head_dim;
    queries.clear();
    for (int i = task.tile.begin; i < task.tile.end; ++i) {
        for (int h = task.head_begin; h < task.head_end; ++h) {
            queries.add(c.q.row(i) + h * head_dim, partial(c, i, h, chunk),
                        c.rows[static_cast<std::size_t>(i)].pos);
        }
    }
    const AttentionCut& cut = c.attention_cut;
    const int first =
        std::max(first_chunk(c, layer, queries.pos[0]), task.span * cut.chunks_a_span);
    const int last = std::min(queries.last_pos() / kernels::kAttnChunk, cut.end_of(task.span) - 1);
    if (first <= chunk && chunk <= last) {
        attend_chunk(c, layer, task, chunk, {chunk == first, chunk == last}, queries, worker);
    }
    for (std::size_t i = 0; i < static_cast<std::size_t>(queries.n); ++i) {
        float* state = queries.out[i] + c.attn_partial.stride - 16;
        state[0] = queries.max[i];
        state[1] = queries.sum[i];
    }
}

void run_attention_span(void* context, std::int64_t layer, std::int64_t index, int worker) {
    StepContext& c = context_of(context);
    const Task task(c, index);
    Queries queries;
    for (int chunk = task.span * c.attention_cut.chunks_a_span;
         chunk < c.attention_cut.end_of(task.span); ++chunk) {
        attend_apart(c, layer, task, chunk, worker, queries);
    }
}

/// A query head's chunks of every row, merged in ascending order.
void run_attention_merge(void* context, std::int64_t, std::int64_t head, int) {
    StepContext& c = context_of(context);
    const int head_dim = c.config.head_dim;
    for (std::size_t i = 0; i < c.rows.size(); ++i) {
        const auto row = static_cast<std::int64_t>(i);
        float max = -std::numeric_limits<float>::infinity(), sum = 0.0f;
        float* out = c.attn.row(row) + head * head_dim;
        for (int chunk = 0; chunk < c.attention_cut.n_chunks; ++chunk) {
            const float* part = partial(c, row, static_cast<int>(head), chunk);
            const float* state = part + c.attn_partial.stride - 16;
            if (state[1] != 0.0f) {
                c.kernel.attention_merge(head_dim, state[0], state[1], part, &max, &sum, out);
            }
        }
        c.kernel.attention_finish(out, sum, head_dim);
    }
}

} // namespace

void attention(StepContext& c, StepPlan& plan, int layer) {
    if (c.attention_cut.n_chunks == 1) {
        plan.push_back({run_attention, &c, layer, n_tasks(c), "attention"});
        return;
    }
    plan.push_back({run_attention_span, &c, layer, n_tasks(c), "attention"});
    plan.push_back({run_attention_merge, &c, layer, c.config.n_head, "attention_merge"});
}

} // namespace sotto::model::ops
