// SPDX-License-Identifier: Apache-2.0
#include "engine/model/models/llama.h"

#include "engine/model/ops.h"

namespace sotto::model::llama {

void adjust(ModelConfig& config) {
    // The converter permutes the rows of attn_q and attn_k so that the halves RoPE turns become
    // neighbours; rotating pairs (2i, 2i+1) is what undoes it.
    config.rope_style = kernels::RopeStyle::interleaved;
}

void bind(const ModelConfig& c, WeightLoader& loader, Weights& w) {
    loader.matrix("token_embd.weight", c.n_vocab, c.n_embd, w.token_embd);
    loader.vector("output_norm.weight", c.n_embd, w.output_norm);
    if (loader.has("output.weight")) {
        loader.matrix("output.weight", c.n_vocab, c.n_embd, w.output);
    }
    if (loader.has("rope_freqs.weight")) {
        loader.vector("rope_freqs.weight", c.n_rot / 2, w.rope_freqs);
    }
    w.layers.resize(static_cast<std::size_t>(c.n_layer));
    for (int i = 0; i < c.n_layer; ++i) {
        const std::string p = "blk." + std::to_string(i) + ".";
        LayerWeights& l = w.layers[static_cast<std::size_t>(i)];
        loader.vector(p + "attn_norm.weight", c.n_embd, l.attn_norm);
        loader.matrix(p + "attn_q.weight", c.q_dim(), c.n_embd, l.attn_q);
        loader.matrix(p + "attn_k.weight", c.kv_dim(), c.n_embd, l.attn_k);
        loader.matrix(p + "attn_v.weight", c.kv_dim(), c.n_embd, l.attn_v);
        loader.matrix(p + "attn_output.weight", c.n_embd, c.q_dim(), l.attn_output);
        loader.vector(p + "ffn_norm.weight", c.n_embd, l.ffn_norm);
        loader.matrix(p + "ffn_gate.weight", c.n_ff, c.n_embd, l.ffn_gate);
        loader.matrix(p + "ffn_up.weight", c.n_ff, c.n_embd, l.ffn_up);
        loader.matrix(p + "ffn_down.weight", c.n_embd, c.n_ff, l.ffn_down);
    }
}

void plan(StepContext& c, StepPlan& p) {
    ops::embed(c, p);
    for (int layer = 0; layer < c.config.n_layer; ++layer) {
        ops::attn_norm(c, p, layer);
        ops::qkv(c, p, layer);
        ops::rope_and_store(c, p, layer);
        ops::attention(c, p, layer);
        ops::quantize_attn(c, p);
        ops::attn_output(c, p, layer);
        ops::ffn_norm(c, p, layer);
        ops::gate_up(c, p, layer);
        ops::quantize_gate(c, p);
        ops::ffn_down(c, p, layer);
    }
    ops::output_norm(c, p);
    ops::output(c, p);
}

} // namespace sotto::model::llama
