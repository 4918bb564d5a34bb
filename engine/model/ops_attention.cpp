// SPDX-License-Identifier: Apache-2.0
#include "engine/model/ops.h"

#include <algorithm>
#include <array>
#include <limits>

namespace sotto::model::ops {
namespace {

constexpr int kMaxQueries = 64;
constexpr int kChunkTiles = kernels::kAttnChunk / kernels::kKvTile;

/// How the query heads of one KV head are cut: together where there is work enough for every worker
/// (a tile of keys is then read once for all of them), else one by one.
int heads_per_task(const StepContext& c) {
    const int group = c.config.n_head / c.config.n_head_kv;
    const auto whole = static_cast<std::int64_t>(c.tiles.size()) * c.config.n_head_kv;
    return whole >= 4 * c.n_threads || c.n_threads == 1 ? std::min(group, kMaxQueries) : 1;
}

int tasks_per_tile(const StepContext& c) {
    const int group = c.config.n_head / c.config.n_head_kv;
    const int heads = heads_per_task(c);
    return c.config.n_head_kv * ((group + heads - 1) / heads);
}

/// The queries of one task and their running softmax state.
struct Queries {
    int n = 0;
    std::array<const float*, kMaxQueries> q;
    std::array<float*, kMaxQueries> out;
    std::array<float, kMaxQueries> max, sum;
    std::array<std::int32_t, kMaxQueries> pos;
    std::array<int, kMaxQueries> begin{}, end{};

    void add(const float* query, float* output, std::int32_t position) {
        const auto i = static_cast<std::size_t>(n++);
        q[i] = query;
        out[i] = output;
        pos[i] = position;
        max[i] = -std::numeric_limits<float>::infinity();
        sum[i] = 0.0f;
    }
};

/// Keys of the chunk that begins at `first` which each query sees.
void set_visible(Queries& queries, std::int32_t first, int n_keys, int window) {
    for (int i = 0; i < queries.n; ++i) {
        const auto u = static_cast<std::size_t>(i);
        const std::int32_t begin = window > 0 ? queries.pos[u] + 1 - window : 0;
        queries.end[u] = std::clamp(queries.pos[u] + 1 - first, 0, n_keys);
        queries.begin[u] = std::clamp(begin - first, 0, n_keys);
    }
}

/// All chunks of 256 positions up to the last query's, in order; those that a window has left
/// behind are skipped.
void attend(StepContext& c, const cache::KvSequence& kv, int layer, int kv_head, Queries& queries,
            int worker) {
    const ModelConfig& m = c.config;
    kernels::AttentionChunk chunk;
    std::array<const void*, kChunkTiles> k_tiles, v_tiles;
    chunk.kv_type = c.kv_type;
    chunk.head_dim = m.head_dim;
    chunk.k_tiles = k_tiles.data();
    chunk.v_tiles = v_tiles.data();
    chunk.n_queries = queries.n;
    chunk.q = queries.q.data();
    chunk.visible_begin = queries.begin.data();
    chunk.visible_end = queries.end.data();
    chunk.scale = m.attn_scale;
    chunk.max = queries.max.data();
    chunk.sum = queries.sum.data();
    chunk.out = queries.out.data();
    chunk.scratch = reinterpret_cast<float*>(c.scratch[static_cast<std::size_t>(worker)].data());
    const std::int32_t n_keys =
        *std::max_element(queries.pos.begin(), queries.pos.begin() + queries.n) + 1;
    const int window = m.layers[static_cast<std::size_t>(layer)].window;
    const std::int32_t oldest =
        *std::min_element(queries.pos.begin(), queries.pos.begin() + queries.n) + 1 - window;
    const std::int32_t skipped =
        window > 0 ? std::max(0, oldest) / kernels::kAttnChunk * kernels::kAttnChunk : 0;
    for (std::int32_t first = skipped; first < n_keys; first += kernels::kAttnChunk) {
        chunk.n_keys = std::min(n_keys - first, kernels::kAttnChunk);
        for (int t = 0; t * kernels::kKvTile < chunk.n_keys; ++t) {
            const std::int64_t tile = first / kernels::kKvTile + t;
            k_tiles[static_cast<std::size_t>(t)] = kv.k_tile(layer, kv_head, tile);
            v_tiles[static_cast<std::size_t>(t)] = kv.v_tile(layer, kv_head, tile);
        }
        set_visible(queries, first, chunk.n_keys, window);
        c.kernel.attention_chunk(chunk);
    }
    for (int i = 0; i < queries.n; ++i) {
        const auto u = static_cast<std::size_t>(i);
        c.kernel.attention_finish(queries.out[u], queries.sum[u], m.head_dim);
    }
}

void run_attention(void* context, std::int64_t layer, std::int64_t task, int worker) {
    StepContext& c = *static_cast<StepContext*>(context);
    const ModelConfig& m = c.config;
    const int group = m.n_head / m.n_head_kv;
    const int heads = heads_per_task(c);
    const int cuts = (group + heads - 1) / heads;
    const int per_tile = m.n_head_kv * cuts;
    const RowTile tile = c.tiles[static_cast<std::size_t>(task / per_tile)];
    const int kv_head = static_cast<int>(task % per_tile) / cuts;
    const int head_begin = kv_head * group + static_cast<int>(task % per_tile) % cuts * heads;
    const int head_end = std::min(head_begin + heads, (kv_head + 1) * group);
    Queries queries;
    for (int i = tile.begin; i < tile.end; ++i) {
        for (int h = head_begin; h < head_end; ++h) {
            queries.add(c.q.row(i) + h * m.head_dim, c.attn.row(i) + h * m.head_dim,
                        c.rows[static_cast<std::size_t>(i)].pos);
        }
    }
    attend(c, *c.rows[static_cast<std::size_t>(tile.begin)].kv, static_cast<int>(layer), kv_head,
           queries, worker);
}

} // namespace

void attention(StepContext& c, StepPlan& plan, int layer) {
    plan.push_back({run_attention, &c, layer,
                    static_cast<std::int64_t>(c.tiles.size()) * tasks_per_tile(c), "attention"});
}

} // namespace sotto::model::ops
