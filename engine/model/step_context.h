// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/aligned_buffer.h"
#include "engine/base/result.h"
#include "engine/cache/kv_sequence.h"
#include "engine/engine.h"
#include "engine/model/config.h"
#include "engine/model/quantized_rows.h"
#include "engine/model/step_plan.h"
#include "engine/model/weights.h"
#include "kernels/kernels.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace sotto::model {

/// One token to compute: at position `pos` of the sequence whose pages are `kv` (reserved past
/// pos). Rows of one sequence follow each other with ascending positions.
struct BatchRow {
    std::int32_t token = 0;
    std::int32_t pos = 0;
    cache::KvSequence* kv = nullptr;
    bool wants_logits = false;
};

/// Pages of a model's keys and values.
cache::KvShape kv_shape(const ModelConfig& config, CacheTypes types);

/// Rows of floats, 64-byte aligned, the stride padded to 16 floats.
struct RowBuffer {
    AlignedBuffer memory;
    std::int64_t stride = 0;

    Result<void> resize(std::int64_t n_rows, std::int64_t n_cols);
    [[nodiscard]] float* row(std::int64_t i) const {
        return const_cast<float*>(reinterpret_cast<const float*>(memory.data())) + i * stride;
    }
};

/// Consecutive rows of one sequence that are attended together.
struct RowTile {
    int begin = 0, end = 0;
};

/// How a step's attention is cut into tasks: query heads of a KV head that stay together, and, if
/// there is more than one, chunks of 256 positions, of which a task takes a span; what each chunk
/// gives is merged afterwards.
struct AttentionCut {
    int heads = 1;
    int n_chunks = 1;
    int chunks_a_span = 1;

    [[nodiscard]] int n_spans() const { return (n_chunks + chunks_a_span - 1) / chunks_a_span; }
    [[nodiscard]] int end_of(int span) const {
        return std::min(n_chunks, (span + 1) * chunks_a_span);
    }
};

/// Everything a forward pass works on: the model, this step's rows, and buffers for max_rows of
/// them. Owned by the scheduler's thread; during a step the workers share it, each writing its own
/// chunks.
struct StepContext {
    const ModelConfig& config;
    const Weights& weights;
    const kernels::KernelTable& kernel;
    const kernels::KvType k_type, v_type;

    std::span<const BatchRow> rows;
    std::vector<int> logit_rows; // rows that want logits, ascending
    std::vector<RowTile> tiles;
    int n_threads = 1; // how finely operations are cut
    AttentionCut attention_cut;

    RowBuffer x;                              // [rows, n_embd] residual stream
    RowBuffer normed;                         // [rows, n_embd]
    RowBuffer q;                              // [rows, n_head * head_dim]
    RowBuffer k, v;                           // [rows, n_head_kv * head_dim]
    RowBuffer attn;                           // [rows, n_head * head_dim]
    RowBuffer attn_partial;                   // [rows, n_head, chunks]: output, maximum, sum
    RowBuffer gate, up;                       // [rows, n_ff]
    RowBuffer projected;                      // [rows, n_embd] before it is added to x
    RowBuffer logits;                         // [logit rows, n_vocab]
    RowBuffer rope_cos, rope_sin;             // [rows, n_rot / 2]
    RowBuffer rope_cos_local, rope_sin_local; // the same, only where layers rotate by another base
    QuantizedRows quantized;                  // those of the next product
    std::vector<AlignedBuffer> scratch;       // per worker, for attention

    StepContext(const ModelConfig& c, const Weights& w, const kernels::KernelTable& t,
                const cache::KvShape& kv)
        : config(c), weights(w), kernel(t), k_type(kv.k_type), v_type(kv.v_type) {}

    /// Buffers for steps of up to max_rows rows. Fails for want of memory, as the next one does.
    Result<void> resize(int max_rows);
    /// Scratch memory for n workers; sets n_threads.
    Result<void> set_workers(int n);
    /// Takes the rows of the next step; grows the buffers for logits and for attention cut in
    /// chunks if it needs more than any before.
    Result<void> begin(std::span<const BatchRow> step_rows);
    /// Of the i-th row that wanted them: [n_vocab]
    [[nodiscard]] std::span<float> logits_of(int i) const {
        return {logits.row(i), static_cast<std::size_t>(config.n_vocab)};
    }

  private:
    Result<void> cut_attention();
    Result<void> reserve_logits(std::int64_t n);

    std::int64_t logits_capacity_ = 0, partial_capacity_ = 0;
};

/// What an operation is handed, as what it is.
inline StepContext& context_of(void* context) {
    return *static_cast<StepContext*>(context);
}
inline const LayerWeights& layer_of(const StepContext& context, std::int64_t layer) {
    return context.weights.layers[static_cast<std::size_t>(layer)];
}

} // namespace sotto::model
