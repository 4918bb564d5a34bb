// SPDX-License-Identifier: Apache-2.0
#include "engine/model/models/llama.h"

#include "engine/model/models/decoder.h"

namespace sotto::model::llama {

void read_gguf(GgufKeys&, ModelConfig& c) {
    // The converter permutes the rows of attn_q and attn_k so that the halves RoPE turns become
    // neighbours; rotating pairs (2i, 2i+1) is what undoes it. Rows of a folder are put into the
    // same order (HubTraits), so that both give the same bits.
    c.rope_style = kernels::RopeStyle::interleaved;
}

void read_hub(HubKeys& keys, ModelConfig& c) {
    c.rope_style = kernels::RopeStyle::interleaved;
    if (keys.boolean("mlp_bias", false)) {
        keys.refuse("mlp_bias", "is true, which is not supported");
    }
    if (keys.boolean("attention_bias", false)) {
        keys.refuse("attention_bias", "is true, which is not supported for this family");
    }
    const int window = keys.integer("sliding_window", 0, 1 << 30, 0); // Mistral 7B v0.1
    for (LayerConfig& layer : c.layers) {
        layer.window = window;
    }
}

void bind(const ModelConfig& c, WeightLoader& loader, Weights& w) {
    decoder::bind(c, {.qkv_bias = decoder::Parts::Need::optional}, loader, w);
}

void plan(StepContext& c, StepPlan& p) {
    decoder::plan(c, p);
}

} // namespace sotto::model::llama
