// SPDX-License-Identifier: Apache-2.0
#include "engine/model/models/gemma3.h"

#include "engine/model/models/decoder.h"
#include "engine/model/ops.h"

#include <algorithm>
#include <cmath>

namespace sotto::model::gemma3 {
namespace {

constexpr int kPattern = 6; // five layers with a window, then one that sees everything
constexpr int kWindow = 4096;
constexpr double kLocalBase = 10000.0;

void set_layer(LayerConfig& layer, bool local, int window) {
    layer.local_rope = local;
    layer.window = local ? window : 0;
}

/// All but every pattern-th layer are local.
void set_layers(ModelConfig& c, int window, int pattern) {
    for (int i = 0; i < c.n_layer; ++i) {
        set_layer(c.layers[static_cast<std::size_t>(i)], (i + 1) % pattern != 0, window);
    }
}

void set_common(ModelConfig& c) {
    c.rope_style = kernels::RopeStyle::halves;
    c.activation = Activation::gelu_tanh;
    c.embd_scale = std::sqrt(static_cast<float>(c.n_embd));
}

} // namespace

void read_gguf(GgufKeys& keys, ModelConfig& c) {
    set_common(c);
    // Most files hold neither the pattern nor the local base.
    c.rope_freq_base_local = keys.real("rope.freq_base_swa", 1.0, 1e15, kLocalBase);
    const int window = c.layers.front().window > 0 ? c.layers.front().window : kWindow;
    const std::vector<std::int64_t> pattern =
        keys.per_layer("attention.sliding_window_pattern", c.n_layer);
    const bool is_period = !pattern.empty() && pattern.front() > 1; // else a flag for each layer
    set_layers(c, window,
               is_period ? static_cast<int>(std::min<std::int64_t>(pattern.front(), c.n_layer + 1))
                         : kPattern);
    for (std::size_t i = 0; !is_period && i < pattern.size(); ++i) {
        set_layer(c.layers[i], pattern[i] != 0, window);
    }
    if (c.n_layer == 62) { // 27B alone scales by the width that a head would have
        c.attn_scale = 1.0f / std::sqrt(static_cast<float>(c.n_embd / c.n_head));
    }
}

void read_hub(HubKeys& keys, ModelConfig& c) {
    set_common(c);
    c.rope_freq_base_local = keys.real("rope_local_base_freq", 1.0, 1e15, c.rope_freq_base_local);
    const int window = keys.integer("sliding_window", 1, 1 << 30, kWindow);
    set_layers(c, window, keys.integer("sliding_window_pattern", 1, 1 << 20, kPattern));
    const std::vector<std::string> types = keys.texts("layer_types"); // of newer folders
    for (std::size_t i = 0; i < std::min(types.size(), c.layers.size()); ++i) {
        set_layer(c.layers[i], types[i] == "sliding_attention", window);
    }
    const double scalar = keys.real("query_pre_attn_scalar", 1.0, 1e6, c.head_dim);
    c.attn_scale = 1.0f / std::sqrt(static_cast<float>(scalar));
    for (const char* key : {"attn_logit_softcapping", "final_logit_softcapping"}) {
        if (keys.real(key, 0.0, 1e6, 0.0) != 0.0) {
            keys.refuse(key, "is set, which is not supported");
        }
    }
    if (keys.boolean("use_bidirectional_attention", false)) {
        keys.refuse("use_bidirectional_attention", "is true, which is not supported");
    }
}

void bind(const ModelConfig& c, WeightLoader& loader, Weights& w) {
    decoder::bind(c, {.qk_norm = true, .post_norms = true}, loader, w);
}

void plan(StepContext& c, StepPlan& p) {
    ops::embed(c, p);
    for (int layer = 0; layer < c.config.n_layer; ++layer) {
        ops::attn_norm(c, p, layer);
        ops::qkv(c, p, layer);
        ops::rope_and_store(c, p, layer);
        ops::attention(c, p, layer);
        ops::quantize_attn(c, p, layer);
        ops::attn_project(c, p, layer);
        ops::post_attn_norm(c, p, layer);
        ops::ffn_norm(c, p, layer);
        ops::gate_up(c, p, layer);
        ops::quantize_gate(c, p, layer);
        ops::ffn_project(c, p, layer);
        ops::post_ffn_norm(c, p, layer);
    }
    ops::output_norm(c, p);
    ops::output(c, p);
}

} // namespace sotto::model::gemma3
