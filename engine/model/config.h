// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"
#include "kernels/kernels.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sotto::model {

enum class Activation : std::uint8_t { silu, gelu_tanh };

/// How positions beyond the first training's length were taught. The formulas are in
/// rope_scaling.cpp.
struct RopeScaling {
    enum class Kind : std::uint8_t { none, linear, llama3, yarn };
    Kind kind = Kind::none;
    double factor = 1.0;
    double original_context = 0;                      // llama3, yarn
    double low_freq_factor = 1, high_freq_factor = 4; // llama3
    double beta_fast = 32, beta_slow = 1;             // yarn
    double attention_factor = 0;                      // yarn: of cos and sin; 0: 1 + 0.1 ln(factor)
};

/// What differs from layer to layer.
struct LayerConfig {
    bool rope = true;        // false: no rotation (NoPE)
    bool local_rope = false; // rotates by rope_freq_base_local, unscaled
    int window = 0;          // keys a query sees, its own among them; 0: all before it
};

/// The numbers of a decoder-only transformer, checked: every divisor is positive, every product
/// fits.
struct ModelConfig {
    std::string architecture; // "llama"
    int n_layer = 0;
    int n_embd = 0;    // width of the residual stream
    int n_head = 0;    // query heads
    int n_head_kv = 0; // key/value heads; n_head % n_head_kv == 0
    int head_dim = 0;  // independent of n_embd / n_head
    int n_ff = 0;
    int n_vocab = 0; // rows of token_embd; at least the tokenizer's tokens
    int n_ctx_train = 0;
    int n_rot = 0; // dimensions of a head that RoPE turns, even, <= head_dim
    double rope_freq_base = 10000.0;
    double rope_freq_base_local = 10000.0; // of layers with local_rope
    RopeScaling rope_scaling;              // of the other layers
    kernels::RopeStyle rope_style = kernels::RopeStyle::halves;
    float norm_rms_eps = 1e-5f;
    float attn_scale = 0.0f; // of scores; 1/sqrt(head_dim) for most
    float embd_scale = 1.0f; // of a token's embedding as it enters the first layer
    Activation activation = Activation::silu;
    /// Whether the embeddings serve as output matrix; unset: where the weights have no other.
    std::optional<bool> tied;
    std::vector<LayerConfig> layers; // [n_layer]

    [[nodiscard]] int q_dim() const { return n_head * head_dim; }
    [[nodiscard]] int kv_dim() const { return n_head_kv * head_dim; }
    [[nodiscard]] bool has_local_rope() const;
};

/// What holds for every architecture once the keys are read: heads that can be shared, sizes that
/// the kernels take.
Result<void> check_config(const ModelConfig& config);

} // namespace sotto::model
