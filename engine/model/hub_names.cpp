// SPDX-License-Identifier: Apache-2.0
#include "engine/model/hub_names.h"

namespace sotto::model {
namespace {

struct Name {
    std::string_view gguf, hub, sandwich; // sandwich: empty where it is the same
};

// Of a layer, without "blk.{i}." and "model.layers.{i}.".
constexpr Name kLayerNames[] = {
    {"attn_norm", "input_layernorm", {}},
    {"attn_q", "self_attn.q_proj", {}},
    {"attn_k", "self_attn.k_proj", {}},
    {"attn_v", "self_attn.v_proj", {}},
    {"attn_output", "self_attn.o_proj", {}},
    {"attn_q_norm", "self_attn.q_norm", {}},
    {"attn_k_norm", "self_attn.k_norm", {}},
    {"post_attention_norm", "", "post_attention_layernorm"},
    {"ffn_norm", "post_attention_layernorm", "pre_feedforward_layernorm"},
    {"ffn_gate", "mlp.gate_proj", {}},
    {"ffn_up", "mlp.up_proj", {}},
    {"ffn_down", "mlp.down_proj", {}},
    {"post_ffw_norm", "", "post_feedforward_layernorm"},
};

constexpr Name kOtherNames[] = {
    {"token_embd", "model.embed_tokens", {}},
    {"output_norm", "model.norm", {}},
    {"output", "lm_head", {}},
};

template <std::size_t n>
std::string_view find(const Name (&names)[n], std::string_view gguf, bool sandwich) {
    for (const Name& name : names) {
        if (name.gguf == gguf) {
            return sandwich && !name.sandwich.empty() ? name.sandwich : name.hub;
        }
    }
    return {};
}

} // namespace

StoredAs hub_tensor(std::string_view gguf_name, const HubTraits& traits, int head_dim) {
    const std::size_t kind_at = gguf_name.rfind('.'); // ".weight", ".bias"
    if (kind_at == std::string_view::npos) {
        return {};
    }
    const std::string_view kind = gguf_name.substr(kind_at);
    std::string_view stem = gguf_name.substr(0, kind_at);
    std::string prefix;
    if (stem.starts_with("blk.")) {
        const std::size_t dot = stem.find('.', 4);
        prefix = "model.layers." + std::string(stem.substr(4, dot - 4)) + ".";
        stem = stem.substr(dot + 1);
    }
    const std::string_view name = prefix.empty() ? find(kOtherNames, stem, false)
                                                 : find(kLayerNames, stem, traits.sandwich_norms);
    if (name.empty()) {
        return {};
    }
    StoredAs stored{prefix + std::string(name) + std::string(kind)};
    stored.less_one = traits.norms_less_one && stem.ends_with("norm");
    if (traits.permute_rope_rows && (stem == "attn_q" || stem == "attn_k")) {
        stored.head_dim_in_halves = head_dim;
    }
    return stored;
}

} // namespace sotto::model
