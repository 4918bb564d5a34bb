// SPDX-License-Identifier: Apache-2.0
// Operations whose chunks are rows: embeddings, norms, quantisation, rotation.
#include "engine/model/ops.h"

#include "kernels/math.h"

#include <algorithm>

namespace sotto::model::ops {
namespace {

// Rows of a chunk: small, so that a prefill's rows spread over the workers.
constexpr std::int64_t kRows = kernels::kPackedRows;

std::int64_t n_chunks(std::size_t n_rows) {
    return (static_cast<std::int64_t>(n_rows) + kRows - 1) / kRows;
}

/// Calls f(row) for the rows of a chunk of the first n_rows.
template <class F>
void for_rows(std::size_t n_rows, std::int64_t chunk, F&& f) {
    const std::int64_t end =
        std::min<std::int64_t>(static_cast<std::int64_t>(n_rows), (chunk + 1) * kRows);
    for (std::int64_t i = chunk * kRows; i < end; ++i) {
        f(i);
    }
}

/// Quantises and packs the rows of a chunk for the products with `users`; x(row) makes a row's
/// floats.
template <class F>
void quantize_rows(StepContext& c, Users users, std::size_t n_rows, std::int64_t chunk, F&& x) {
    const std::int64_t n_cols = (*users.begin())->n_cols;
    const bool needed = QuantizedRows::needed_by(users);
    for_rows(n_rows, chunk, [&](std::int64_t i) {
        const float* row = x(i);
        if (needed) {
            c.quantized.quantize(c.kernel, row, n_cols, i);
        }
    });
    if (needed) {
        const auto n = static_cast<std::int64_t>(n_rows);
        c.quantized.pack(c.kernel, users, chunk * kRows, std::min(n, (chunk + 1) * kRows), n);
    }
}

void run_embed(void* context, std::int64_t, std::int64_t chunk, int) {
    StepContext& c = context_of(context);
    const Matrix& table = c.weights.token_embd;
    const std::size_t group_bytes = kernels::packed_group_bytes(table.type, table.n_cols);
    const float* factors = c.weights.rope_freqs.empty() ? nullptr : c.weights.rope_freqs.data();
    for_rows(c.rows.size(), chunk, [&](std::int64_t i) {
        const BatchRow& row = c.rows[static_cast<std::size_t>(i)];
        const auto group = static_cast<std::size_t>(row.token / kernels::kGroupRows);
        kernels::unpack_row(table.type, table.packed.data() + group * group_bytes,
                            row.token % kernels::kGroupRows, table.n_cols, c.x.row(i));
        if (c.config.embd_scale != 1.0f) {
            c.kernel.scale(c.x.row(i), c.config.embd_scale, table.n_cols);
        }
        kernels::rope_table(row.pos, c.config.n_rot, c.config.rope_freq_base, 1.0, factors,
                            c.rope_cos.row(i), c.rope_sin.row(i));
        if (c.rope_cos_local.stride > 0) {
            kernels::rope_table(row.pos, c.config.n_rot, c.config.rope_freq_base_local, 1.0,
                                nullptr, c.rope_cos_local.row(i), c.rope_sin_local.row(i));
        }
    });
}

/// normed[to] = rms_norm(x[from]) * weight
const float* norm_row(StepContext& c, const Vector& weight, std::int64_t from, std::int64_t to) {
    float* y = c.normed.row(to);
    c.kernel.rms_norm(c.x.row(from), weight.data(), c.config.n_embd, c.config.norm_rms_eps, y);
    return y;
}

void run_attn_norm(void* context, std::int64_t layer, std::int64_t chunk, int) {
    StepContext& c = context_of(context);
    const LayerWeights& w = layer_of(c, layer);
    quantize_rows(c, {&w.attn_q, &w.attn_k, &w.attn_v}, c.rows.size(), chunk,
                  [&](std::int64_t i) { return norm_row(c, w.attn_norm, i, i); });
}

void run_ffn_norm(void* context, std::int64_t layer, std::int64_t chunk, int) {
    StepContext& c = context_of(context);
    const LayerWeights& w = layer_of(c, layer);
    quantize_rows(c, {&w.ffn_gate, &w.ffn_up}, c.rows.size(), chunk,
                  [&](std::int64_t i) { return norm_row(c, w.ffn_norm, i, i); });
}

void run_output_norm(void* context, std::int64_t, std::int64_t chunk, int) {
    StepContext& c = context_of(context);
    quantize_rows(c, {&c.weights.output_matrix()}, c.logit_rows.size(), chunk, [&](std::int64_t i) {
        return norm_row(c, c.weights.output_norm, c.logit_rows[static_cast<std::size_t>(i)], i);
    });
}

/// x += rms_norm(projected) * weight
void add_normed(StepContext& c, const Vector& weight, std::int64_t row) {
    float* y = c.projected.row(row);
    c.kernel.rms_norm(y, weight.data(), c.config.n_embd, c.config.norm_rms_eps, y);
    c.kernel.add(c.x.row(row), y, c.config.n_embd);
}

void run_post_attn_norm(void* context, std::int64_t layer, std::int64_t chunk, int) {
    StepContext& c = context_of(context);
    const Vector& w = layer_of(c, layer).post_attn_norm;
    for_rows(c.rows.size(), chunk, [&](std::int64_t i) { add_normed(c, w, i); });
}

void run_post_ffn_norm(void* context, std::int64_t layer, std::int64_t chunk, int) {
    StepContext& c = context_of(context);
    const Vector& w = layer_of(c, layer).post_ffn_norm;
    for_rows(c.rows.size(), chunk, [&](std::int64_t i) { add_normed(c, w, i); });
}

void run_quantize_attn(void* context, std::int64_t layer, std::int64_t chunk, int) {
    StepContext& c = context_of(context);
    quantize_rows(c, {&layer_of(c, layer).attn_output}, c.rows.size(), chunk,
                  [&](std::int64_t i) { return c.attn.row(i); });
}

void run_quantize_gate(void* context, std::int64_t layer, std::int64_t chunk, int) {
    StepContext& c = context_of(context);
    quantize_rows(c, {&layer_of(c, layer).ffn_down}, c.rows.size(), chunk,
                  [&](std::int64_t i) { return c.gate.row(i); });
}

/// Each head of x[n_head, head_dim] in place: its norm, then its rotation, where there are any.
void prepare_heads(const StepContext& c, std::int64_t row, const Vector& norm,
                   const LayerConfig& layer, float* x, int n_head) {
    const ModelConfig& m = c.config;
    if (!norm.empty()) {
        for (int h = 0; h < n_head; ++h) {
            float* head = x + static_cast<std::ptrdiff_t>(h) * m.head_dim;
            c.kernel.rms_norm(head, norm.data(), m.head_dim, m.norm_rms_eps, head);
        }
    }
    if (layer.rope) {
        const RowBuffer& cos = layer.local_rope ? c.rope_cos_local : c.rope_cos;
        const RowBuffer& sin = layer.local_rope ? c.rope_sin_local : c.rope_sin;
        c.kernel.rope(x, n_head, m.head_dim, m.n_rot, cos.row(row), sin.row(row), m.rope_style);
    }
}

void run_rope_and_store(void* context, std::int64_t layer, std::int64_t chunk, int) {
    StepContext& c = context_of(context);
    const ModelConfig& m = c.config;
    const LayerWeights& w = layer_of(c, layer);
    const LayerConfig& how = m.layers[static_cast<std::size_t>(layer)];
    for_rows(c.rows.size(), chunk, [&](std::int64_t i) {
        const BatchRow& row = c.rows[static_cast<std::size_t>(i)];
        prepare_heads(c, i, w.attn_q_norm, how, c.q.row(i), m.n_head);
        prepare_heads(c, i, w.attn_k_norm, how, c.k.row(i), m.n_head_kv);
        const std::int64_t tile = row.pos / kernels::kKvTile;
        const int lane = row.pos % kernels::kKvTile;
        for (int h = 0; h < m.n_head_kv; ++h) {
            const int l = static_cast<int>(layer);
            c.kernel.store_k(c.k_type, c.k.row(i) + h * m.head_dim, m.head_dim, lane,
                             row.kv->k_tile(l, h, tile));
            c.kernel.store_v(c.v_type, c.v.row(i) + h * m.head_dim, m.head_dim, lane,
                             row.kv->v_tile(l, h, tile));
        }
    });
}

} // namespace

void embed(StepContext& c, StepPlan& plan) {
    plan.push_back({run_embed, &c, 0, n_chunks(c.rows.size()), "embed"});
}

void attn_norm(StepContext& c, StepPlan& plan, int layer) {
    plan.push_back({run_attn_norm, &c, layer, n_chunks(c.rows.size()), "attn_norm"});
}

void ffn_norm(StepContext& c, StepPlan& plan, int layer) {
    plan.push_back({run_ffn_norm, &c, layer, n_chunks(c.rows.size()), "ffn_norm"});
}

void post_attn_norm(StepContext& c, StepPlan& plan, int layer) {
    plan.push_back({run_post_attn_norm, &c, layer, n_chunks(c.rows.size()), "post_attn_norm"});
}

void post_ffn_norm(StepContext& c, StepPlan& plan, int layer) {
    plan.push_back({run_post_ffn_norm, &c, layer, n_chunks(c.rows.size()), "post_ffn_norm"});
}

void rope_and_store(StepContext& c, StepPlan& plan, int layer) {
    plan.push_back({run_rope_and_store, &c, layer, n_chunks(c.rows.size()), "rope_and_store"});
}

void quantize_attn(StepContext& c, StepPlan& plan, int layer) {
    if (layer_of(c, layer).attn_output.quantized()) {
        plan.push_back({run_quantize_attn, &c, layer, n_chunks(c.rows.size()), "quantize_attn"});
    }
}

void quantize_gate(StepContext& c, StepPlan& plan, int layer) {
    if (layer_of(c, layer).ffn_down.quantized()) {
        plan.push_back({run_quantize_gate, &c, layer, n_chunks(c.rows.size()), "quantize_gate"});
    }
}

void output_norm(StepContext& c, StepPlan& plan) {
    plan.push_back({run_output_norm, &c, 0, n_chunks(c.logit_rows.size()), "output_norm"});
}

} // namespace sotto::model::ops
