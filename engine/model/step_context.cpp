// SPDX-License-Identifier: Apache-2.0
#include "engine/model/step_context.h"

#include <algorithm>

namespace sotto::model {
namespace {

// Queries of one attention task: enough that a tile of keys is loaded once for many of them.
constexpr int kTileQueries = 96;
// Tasks from which on an operation is shared out well, whatever else the processors do.
constexpr int kTasksPerThread = 4;
constexpr std::int64_t kMaxPartialFloats = std::int64_t{16} << 20;

} // namespace

Result<void> RowBuffer::resize(std::int64_t n_rows, std::int64_t n_cols) {
    stride = round_up(n_cols, 16);
    auto buffer =
        AlignedBuffer::allocate(static_cast<std::size_t>(n_rows * stride) * sizeof(float));
    if (!buffer) {
        return std::move(buffer).error();
    }
    memory = *std::move(buffer);
    return {};
}

Result<void> StepContext::resize(int max_rows) {
    struct Wanted {
        RowBuffer* buffer;
        std::int64_t n_cols;
    };
    const ModelConfig& c = config;
    const Wanted wanted[] = {{&x, c.n_embd},
                             {&normed, c.n_embd},
                             {&q, c.q_dim()},
                             {&k, c.kv_dim()},
                             {&v, c.kv_dim()},
                             {&attn, c.q_dim()},
                             {&gate, c.n_ff},
                             {&up, c.n_ff},
                             {&projected, c.n_embd},
                             {&rope_cos, c.n_rot / 2},
                             {&rope_sin, c.n_rot / 2},
                             {&rope_cos_local, c.has_local_rope() ? c.n_rot / 2 : 0},
                             {&rope_sin_local, c.has_local_rope() ? c.n_rot / 2 : 0}};
    for (const Wanted& w : wanted) {
        if (w.n_cols == 0) {
            continue;
        }
        if (auto done = w.buffer->resize(max_rows, w.n_cols); !done) {
            return done;
        }
    }
    const std::int64_t widest = std::max({c.n_embd, c.q_dim(), c.n_ff});
    if (auto done = quantized.resize(max_rows, widest, c.n_embd); !done) {
        return done;
    }
    logit_rows.reserve(static_cast<std::size_t>(max_rows));
    tiles.reserve(static_cast<std::size_t>(max_rows));
    return {};
}

Result<void> StepContext::set_workers(int n) {
    const std::size_t floats = kernels::attention_scratch_floats(
        std::max(kTileQueries, config.n_head / config.n_head_kv), config.head_dim);
    while (scratch.size() < static_cast<std::size_t>(n)) {
        auto buffer = AlignedBuffer::allocate(floats * sizeof(float));
        if (!buffer) {
            return std::move(buffer).error();
        }
        scratch.push_back(*std::move(buffer));
    }
    n_threads = n;
    return {};
}

Result<void> StepContext::begin(std::span<const BatchRow> step_rows) {
    rows = step_rows;
    logit_rows.clear();
    tiles.clear();
    const int tile_rows = std::max(1, kTileQueries / (config.n_head / config.n_head_kv));
    for (int i = 0; i < static_cast<int>(rows.size()); ++i) {
        const auto r = static_cast<std::size_t>(i);
        if (rows[r].wants_logits) {
            logit_rows.push_back(i);
        }
        if (tiles.empty() || rows[r].kv != rows[r - 1].kv || i - tiles.back().begin >= tile_rows) {
            tiles.push_back({i, i});
        }
        tiles.back().end = i + 1;
    }
    if (auto done = cut_attention(); !done) {
        return done;
    }
    return reserve_logits(static_cast<std::int64_t>(logit_rows.size()));
}

Result<void> StepContext::reserve_logits(std::int64_t n) {
    if (n > logits_capacity_) {
        logits_capacity_ = 0;
        if (auto done = logits.resize(n, config.n_vocab); !done) {
            return done;
        }
        logits_capacity_ = n;
    }
    return {};
}

/// The query heads of a KV head share one reading of its keys, so they are parted only where there
/// is nothing else to share out.
Result<void> StepContext::cut_attention() {
    const int group = config.n_head / config.n_head_kv;
    const auto n_whole = static_cast<std::int64_t>(tiles.size()) * config.n_head_kv;
    attention_cut = {std::min(group, kTileQueries), 1};
    if (n_threads == 1 || n_whole >= kTasksPerThread * n_threads) {
        return {};
    }
    std::int32_t last = 0;
    for (const BatchRow& row : rows) {
        last = std::max(last, row.pos);
    }
    const int n_chunks = last / kernels::kAttnChunk + 1;
    const std::int64_t n_parts = static_cast<std::int64_t>(rows.size()) * config.n_head * n_chunks;
    const std::int64_t n_floats = round_up(config.head_dim, 16) + 16;
    if (n_chunks == 1 || n_parts * n_floats > kMaxPartialFloats) {
        attention_cut.heads = 1;
        return {};
    }
    const std::int64_t wanted = 2 * kTasksPerThread * n_threads;
    const auto n_spans = std::min<std::int64_t>(n_chunks, (wanted + n_whole - 1) / n_whole);
    attention_cut.n_chunks = n_chunks;
    attention_cut.chunks_a_span = static_cast<int>((n_chunks + n_spans - 1) / n_spans);
    if (n_parts > partial_capacity_) {
        partial_capacity_ = 0;
        // For twice the length, so that not every chunk more means new memory.
        if (auto done = attn_partial.resize(2 * n_parts, n_floats); !done) {
            return done;
        }
        partial_capacity_ = 2 * n_parts;
    }
    return {};
}

namespace {

kernels::KvType kv_type_of(CacheType type) {
    switch (type) {
    case CacheType::F32:
        return kernels::KvType::F32;
    case CacheType::Q8_0:
        return kernels::KvType::Q8_0;
    case CacheType::F16:
        break;
    }
    return kernels::KvType::F16;
}

} // namespace

cache::KvShape kv_shape(const ModelConfig& config, CacheTypes types) {
    return {config.n_layer, config.n_head_kv, config.head_dim, kv_type_of(types.k),
            kv_type_of(types.v)};
}

} // namespace sotto::model
