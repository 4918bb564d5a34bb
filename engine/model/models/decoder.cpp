// SPDX-License-Identifier: Apache-2.0
#include "engine/model/models/decoder.h"

#include "engine/model/ops.h"

namespace sotto::model::decoder {
namespace {

void bind_bias(const std::string& name, std::int64_t n, Parts::Need need, WeightLoader& loader,
               Vector& to) {
    if (need == Parts::Need::required || (need == Parts::Need::optional && loader.has(name))) {
        loader.vector(name, n, to);
    }
}

void bind_attention(const ModelConfig& c, const Parts& parts, const std::string& p,
                    WeightLoader& loader, LayerWeights& l) {
    loader.vector(p + "attn_norm.weight", c.n_embd, l.attn_norm);
    loader.matrix(p + "attn_q.weight", c.q_dim(), c.n_embd, l.attn_q);
    loader.matrix(p + "attn_k.weight", c.kv_dim(), c.n_embd, l.attn_k);
    loader.matrix(p + "attn_v.weight", c.kv_dim(), c.n_embd, l.attn_v);
    loader.matrix(p + "attn_output.weight", c.n_embd, c.q_dim(), l.attn_output);
    bind_bias(p + "attn_q.bias", c.q_dim(), parts.qkv_bias, loader, l.attn_q_bias);
    bind_bias(p + "attn_k.bias", c.kv_dim(), parts.qkv_bias, loader, l.attn_k_bias);
    bind_bias(p + "attn_v.bias", c.kv_dim(), parts.qkv_bias, loader, l.attn_v_bias);
    if (parts.qk_norm) {
        loader.vector(p + "attn_q_norm.weight", c.head_dim, l.attn_q_norm);
        loader.vector(p + "attn_k_norm.weight", c.head_dim, l.attn_k_norm);
    }
    if (parts.post_norms) {
        loader.vector(p + "post_attention_norm.weight", c.n_embd, l.post_attn_norm);
    }
}

void bind_feed_forward(const ModelConfig& c, const Parts& parts, const std::string& p,
                       WeightLoader& loader, LayerWeights& l) {
    loader.vector(p + "ffn_norm.weight", c.n_embd, l.ffn_norm);
    loader.matrix(p + "ffn_gate.weight", c.n_ff, c.n_embd, l.ffn_gate);
    loader.matrix(p + "ffn_up.weight", c.n_ff, c.n_embd, l.ffn_up);
    loader.matrix(p + "ffn_down.weight", c.n_embd, c.n_ff, l.ffn_down);
    if (parts.post_norms) {
        loader.vector(p + "post_ffw_norm.weight", c.n_embd, l.post_ffn_norm);
    }
}

} // namespace

void bind(const ModelConfig& c, const Parts& parts, WeightLoader& loader, Weights& w) {
    loader.matrix("token_embd.weight", c.n_vocab, c.n_embd, w.token_embd);
    loader.vector("output_norm.weight", c.n_embd, w.output_norm);
    if (c.tied ? !*c.tied : loader.has("output.weight")) {
        loader.matrix("output.weight", c.n_vocab, c.n_embd, w.output);
    }
    if (loader.has("rope_freqs.weight")) {
        loader.vector("rope_freqs.weight", c.n_rot / 2, w.rope_freqs);
    }
    w.layers.resize(static_cast<std::size_t>(c.n_layer));
    for (int i = 0; i < c.n_layer; ++i) {
        const std::string p = "blk." + std::to_string(i) + ".";
        LayerWeights& l = w.layers[static_cast<std::size_t>(i)];
        bind_attention(c, parts, p, loader, l);
        bind_feed_forward(c, parts, p, loader, l);
    }
}

void plan(StepContext& c, StepPlan& p) {
    ops::embed(c, p);
    for (int layer = 0; layer < c.config.n_layer; ++layer) {
        ops::attn_norm(c, p, layer);
        ops::qkv(c, p, layer);
        ops::rope_and_store(c, p, layer);
        ops::attention(c, p, layer);
        ops::quantize_attn(c, p, layer);
        ops::attn_output(c, p, layer);
        ops::ffn_norm(c, p, layer);
        ops::gate_up(c, p, layer);
        ops::quantize_gate(c, p, layer);
        ops::ffn_down(c, p, layer);
    }
    ops::output_norm(c, p);
    ops::output(c, p);
}

} // namespace sotto::model::decoder
