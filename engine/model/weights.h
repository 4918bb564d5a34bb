// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/aligned_buffer.h"
#include "kernels/weights.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sotto::model {

/// A weight matrix [n_rows, n_cols], packed in groups of 16 rows (kernels/weights.h). n_rows is
/// padded with zero rows; outputs of those are never read.
struct Matrix {
    kernels::WeightType type{};
    std::int64_t n_rows = 0;
    std::int64_t n_cols = 0;
    std::span<std::byte> packed; // in Weights::memory

    [[nodiscard]] std::int64_t n_groups() const {
        return (n_rows + kernels::kGroupRows - 1) / kernels::kGroupRows;
    }
    [[nodiscard]] bool quantized() const { return kernels::traits(type).quantized; }
    [[nodiscard]] bool empty() const { return n_rows == 0; }
};

using Vector = std::vector<float>;

/// One decoder block; names as in GGUF without "blk.{i}." and ".weight".
struct LayerWeights {
    Vector attn_norm;   // [n_embd]
    Matrix attn_q;      // [n_head * head_dim, n_embd]
    Matrix attn_k;      // [n_head_kv * head_dim, n_embd]
    Matrix attn_v;      // [n_head_kv * head_dim, n_embd]
    Matrix attn_output; // [n_embd, n_head * head_dim]
    // Empty where the model has none.
    Vector attn_q_bias;              // [n_head * head_dim]
    Vector attn_k_bias, attn_v_bias; // [n_head_kv * head_dim]
    Vector attn_q_norm, attn_k_norm; // [head_dim], of each head before it is rotated
    Vector post_attn_norm;           // [n_embd], of what attention adds
    Vector post_ffn_norm;            // [n_embd], of what the feed-forward adds

    Vector ffn_norm; // [n_embd]
    Matrix ffn_gate; // [n_ff, n_embd]
    Matrix ffn_up;   // [n_ff, n_embd]
    Matrix ffn_down; // [n_embd, n_ff]
};

struct Weights {
    // All packed matrices, one after the other, each at a multiple of 64 bytes:
    // position-independent as a whole, and read by huge pages also where a matrix is smaller than
    // one.
    AlignedBuffer memory;
    Matrix token_embd;                // [n_vocab, n_embd]
    Vector output_norm;               // [n_embd]
    Matrix output;                    // [n_vocab, n_embd]; empty: token_embd is used (tied)
    Vector rope_freqs;                // [n_rot / 2] divisors of the frequencies; empty: all 1
    std::vector<LayerWeights> layers; // [n_layer]

    [[nodiscard]] const Matrix& output_matrix() const {
        return output.empty() ? token_embd : output;
    }
    /// Calls f(matrix) for each matrix that a token of a prompt is multiplied with.
    template <class F>
    void for_each_layer_matrix(F&& f) const {
        for (const LayerWeights& l : layers) {
            for (const Matrix* m : {&l.attn_q, &l.attn_k, &l.attn_v, &l.attn_output, &l.ffn_gate,
                                    &l.ffn_up, &l.ffn_down}) {
                f(*m);
            }
        }
    }
};

} // namespace sotto::model
