// SPDX-License-Identifier: Apache-2.0
// Operations whose chunks are groups of 16 output rows of a weight matrix.
#include "engine/model/ops.h"

#include <algorithm>
#include <initializer_list>

namespace sotto::model::ops {
namespace {

/// Chunks for n_groups groups: a few for each worker, so that a late one costs little, but for many
/// rows (prefill) more, since each is long.
std::int64_t n_chunks(const StepContext& c, std::int64_t n_groups, std::size_t n_rows) {
    const std::int64_t per_worker = n_rows >= 16 ? 16 : 4;
    return std::min(n_groups, c.n_threads == 1 && n_rows < 16 ? 1 : per_worker * c.n_threads);
}

struct Range {
    std::int64_t begin, end;
};

/// Groups of a chunk; the chunks differ by one group at most.
Range range_of(std::int64_t chunk, std::int64_t chunks, std::int64_t n_groups) {
    return {chunk * n_groups / chunks, (chunk + 1) * n_groups / chunks};
}

void matmul(const StepContext& c, const Matrix& w, Range groups, const kernels::Activations& a,
            const RowBuffer& y) {
    if (groups.begin < groups.end) {
        c.kernel.matmul[static_cast<int>(w.type)](w.packed.data(), w.n_cols, groups.begin,
                                                  groups.end, a, y.row(0), y.stride);
    }
}

/// The first n_rows rows of `input` as users[i] takes them.
kernels::Activations rows_for(const StepContext& c, Users users, std::size_t i,
                              const RowBuffer& input, std::size_t n_rows) {
    return c.quantized.view(users, i, static_cast<std::int64_t>(n_rows), input.row(0),
                            input.stride);
}

/// The columns of y that a range of groups wrote, without the padding rows of the last group.
Range columns(const Matrix& w, Range groups) {
    return {groups.begin * kernels::kGroupRows,
            std::min(groups.end * kernels::kGroupRows, w.n_rows)};
}

/// y[rows] += bias, for the columns that a range of groups wrote.
void add_bias(const StepContext& c, const Matrix& w, Range groups, const Vector& bias,
              const RowBuffer& y) {
    const Range cols = columns(w, groups);
    if (bias.empty() || cols.begin >= cols.end) {
        return;
    }
    for (std::size_t i = 0; i < c.rows.size(); ++i) {
        c.kernel.add(y.row(static_cast<std::int64_t>(i)) + cols.begin, bias.data() + cols.begin,
                     cols.end - cols.begin);
    }
}

void run_qkv(void* context, std::int64_t layer, std::int64_t chunk, int) {
    StepContext& c = context_of(context);
    const LayerWeights& w = layer_of(c, layer);
    const Users matrices = {&w.attn_q, &w.attn_k, &w.attn_v};
    const Vector* biases[] = {&w.attn_q_bias, &w.attn_k_bias, &w.attn_v_bias};
    const RowBuffer* outputs[] = {&c.q, &c.k, &c.v};
    const std::int64_t total = w.attn_q.n_groups() + w.attn_k.n_groups() + w.attn_v.n_groups();
    const Range range = range_of(chunk, n_chunks(c, total, c.rows.size()), total);
    std::int64_t first = 0; // of this matrix among the groups of all three
    for (std::size_t i = 0; i < matrices.size(); ++i) {
        const Matrix& m = *matrices.begin()[i];
        const std::int64_t n = m.n_groups();
        const Range groups{std::clamp<std::int64_t>(range.begin - first, 0, n),
                           std::clamp<std::int64_t>(range.end - first, 0, n)};
        matmul(c, m, groups, rows_for(c, matrices, i, c.normed, c.rows.size()), *outputs[i]);
        add_bias(c, m, groups, *biases[i], *outputs[i]);
        first += n;
    }
}

/// projected = w times the activations, for one chunk of w's groups. The groups.
Range project(StepContext& c, const Matrix& w, const RowBuffer& input, std::int64_t chunk) {
    const Range groups = range_of(chunk, n_chunks(c, w.n_groups(), c.rows.size()), w.n_groups());
    matmul(c, w, groups, rows_for(c, {&w}, 0, input, c.rows.size()), c.projected);
    return groups;
}

void run_attn_project(void* context, std::int64_t layer, std::int64_t chunk, int) {
    StepContext& c = context_of(context);
    project(c, layer_of(c, layer).attn_output, c.attn, chunk);
}

void run_ffn_project(void* context, std::int64_t layer, std::int64_t chunk, int) {
    StepContext& c = context_of(context);
    project(c, layer_of(c, layer).ffn_down, c.gate, chunk);
}

/// x += w times the activations, for one chunk of w's groups.
void project_and_add(StepContext& c, const Matrix& w, const RowBuffer& input, std::int64_t chunk) {
    const Range cols = columns(w, project(c, w, input, chunk));
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(c.rows.size()); ++i) {
        c.kernel.add(c.x.row(i) + cols.begin, c.projected.row(i) + cols.begin,
                     cols.end - cols.begin);
    }
}

void run_attn_output(void* context, std::int64_t layer, std::int64_t chunk, int) {
    StepContext& c = context_of(context);
    project_and_add(c, layer_of(c, layer).attn_output, c.attn, chunk);
}

void run_ffn_down(void* context, std::int64_t layer, std::int64_t chunk, int) {
    StepContext& c = context_of(context);
    project_and_add(c, layer_of(c, layer).ffn_down, c.gate, chunk);
}

void run_gate_up(void* context, std::int64_t layer, std::int64_t chunk, int) {
    StepContext& c = context_of(context);
    const LayerWeights& w = layer_of(c, layer);
    const Users matrices = {&w.ffn_gate, &w.ffn_up};
    const auto n_rows = static_cast<std::int64_t>(c.rows.size());
    const Range groups =
        range_of(chunk, n_chunks(c, w.ffn_gate.n_groups(), c.rows.size()), w.ffn_gate.n_groups());
    matmul(c, w.ffn_gate, groups, rows_for(c, matrices, 0, c.normed, c.rows.size()), c.gate);
    matmul(c, w.ffn_up, groups, rows_for(c, matrices, 1, c.normed, c.rows.size()), c.up);
    const Range cols = columns(w.ffn_gate, groups);
    const auto activate =
        c.config.activation == Activation::silu ? c.kernel.silu_mul : c.kernel.gelu_tanh_mul;
    for (std::int64_t i = 0; i < n_rows; ++i) {
        activate(c.gate.row(i) + cols.begin, c.up.row(i) + cols.begin, cols.end - cols.begin);
    }
}

void run_output(void* context, std::int64_t, std::int64_t chunk, int) {
    StepContext& c = context_of(context);
    const Matrix& w = c.weights.output_matrix();
    const std::size_t n_rows = c.logit_rows.size();
    matmul(c, w, range_of(chunk, n_chunks(c, w.n_groups(), n_rows), w.n_groups()),
           rows_for(c, {&w}, 0, c.normed, n_rows), c.logits);
}

/// An operation whose chunks are groups of these matrices, together or side by side.
void push(const StepContext& c, StepPlan& plan, StepOp op, std::initializer_list<const Matrix*> all,
          std::size_t n_rows) {
    for (const Matrix* m : all) {
        op.weight_bytes += static_cast<std::int64_t>(m->packed.size());
        op.n_products += m->n_rows * m->n_cols * static_cast<std::int64_t>(n_rows);
    }
    op.n_chunks = n_chunks(c, op.n_chunks, n_rows);
    plan.push_back(op);
}

} // namespace

void qkv(StepContext& c, StepPlan& plan, int layer) {
    const LayerWeights& w = layer_of(c, layer);
    const std::int64_t total = w.attn_q.n_groups() + w.attn_k.n_groups() + w.attn_v.n_groups();
    push(c, plan, {run_qkv, &c, layer, total, "qkv"}, {&w.attn_q, &w.attn_k, &w.attn_v},
         c.rows.size());
}

void attn_output(StepContext& c, StepPlan& plan, int layer) {
    const Matrix& w = layer_of(c, layer).attn_output;
    push(c, plan, {run_attn_output, &c, layer, w.n_groups(), "attn_output"}, {&w}, c.rows.size());
}

void attn_project(StepContext& c, StepPlan& plan, int layer) {
    const Matrix& w = layer_of(c, layer).attn_output;
    push(c, plan, {run_attn_project, &c, layer, w.n_groups(), "attn_output"}, {&w}, c.rows.size());
}

void gate_up(StepContext& c, StepPlan& plan, int layer) {
    const LayerWeights& w = layer_of(c, layer);
    push(c, plan, {run_gate_up, &c, layer, w.ffn_gate.n_groups(), "gate_up"},
         {&w.ffn_gate, &w.ffn_up}, c.rows.size());
}

void ffn_down(StepContext& c, StepPlan& plan, int layer) {
    const Matrix& w = layer_of(c, layer).ffn_down;
    push(c, plan, {run_ffn_down, &c, layer, w.n_groups(), "ffn_down"}, {&w}, c.rows.size());
}

void ffn_project(StepContext& c, StepPlan& plan, int layer) {
    const Matrix& w = layer_of(c, layer).ffn_down;
    push(c, plan, {run_ffn_project, &c, layer, w.n_groups(), "ffn_down"}, {&w}, c.rows.size());
}

void output(StepContext& c, StepPlan& plan) {
    const Matrix& w = c.weights.output_matrix();
    if (!c.logit_rows.empty()) {
        push(c, plan, {run_output, &c, 0, w.n_groups(), "output"}, {&w}, c.logit_rows.size());
    }
}

} // namespace sotto::model::ops
