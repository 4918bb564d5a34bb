// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"
#include "engine/formats/gguf.h"
#include "kernels/kernels.h"

#include <string>
#include <vector>

namespace sotto::model {

/// The numbers of a decoder-only transformer, checked: every divisor is positive, every product
/// fits.
struct ModelConfig {
    std::string architecture; // "llama"
    std::string name;         // general.name
    int n_layer = 0;
    int n_embd = 0;    // width of the residual stream
    int n_head = 0;    // query heads
    int n_head_kv = 0; // key/value heads; n_head % n_head_kv == 0
    int head_dim = 0;
    int n_ff = 0;
    int n_vocab = 0; // rows of token_embd; at least the tokenizer's tokens
    int n_ctx_train = 0;
    int n_rot = 0; // dimensions of a head that RoPE turns, even, <= head_dim
    double rope_freq_base = 10000.0;
    double rope_freq_scale = 1.0; // angle factor: 1/scaling.factor for linear scaling
    kernels::RopeStyle rope_style = kernels::RopeStyle::interleaved;
    float norm_rms_eps = 1e-5f;

    [[nodiscard]] int q_dim() const { return n_head * head_dim; }
    [[nodiscard]] int kv_dim() const { return n_head_kv * head_dim; }
};

/// Reads "{architecture}.*" keys. n_vocab is left to the weights. `warnings` gets a sentence for
/// each default taken.
Result<ModelConfig> read_config(const formats::GgufFile& file, std::vector<std::string>& warnings);

} // namespace sotto::model
