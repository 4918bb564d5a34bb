// SPDX-License-Identifier: Apache-2.0
#include "engine/model/refused_keys.h"

#include "engine/base/message.h"

#include <algorithm>
#include <cmath>

namespace sotto::model {
namespace {

constexpr double kMaxScale = 1e30;

template <class Keys>
void refuse_experts(Keys& keys, const char* key) {
    if (const int n = keys.integer(key, 0, 1 << 20, 0); n > 0) {
        keys.refuse(key,
                    "is set: a mixture of experts (" + std::to_string(n) + ") is not supported");
    }
}

/// A factor that is 1 everywhere else; `unset` is what files write for none.
template <class Keys>
void refuse_factor(Keys& keys, const char* key, double unset) {
    const double value = keys.real(key, -kMaxScale, kMaxScale, 1.0);
    if (value != 1.0 && value != unset) {
        keys.refuse(key, "is " + number_text(value) + ", which is not supported: only 1 is");
    }
}

bool is_computed(const std::string& name, Activation activation) {
    return activation == Activation::silu ? name == "silu" || name == "swish"
                                          : name == "gelu_pytorch_tanh";
}

void check_activation(HubKeys& keys, const ModelConfig& c) {
    for (const char* key : {"hidden_act", "hidden_activation"}) {
        const std::string name = keys.text(key);
        if (!name.empty() && !is_computed(name, c.activation)) {
            keys.refuse(key,
                        "is " + message::quoted(name) + "; this architecture is computed with " +
                            (c.activation == Activation::silu ? "'silu'" : "'gelu_pytorch_tanh'"));
        }
    }
}

/// What "layer_types" says has to be what the other keys came to.
void check_layer_types(HubKeys& keys, const ModelConfig& c) {
    constexpr const char* kKey = "layer_types";
    const std::vector<std::string> types = keys.texts(kKey);
    if (types.empty()) {
        return;
    }
    if (types.size() != c.layers.size()) {
        keys.refuse(kKey, "has " + std::to_string(types.size()) + " values for " +
                              std::to_string(c.layers.size()) + " layers");
        return;
    }
    for (std::size_t i = 0; i < types.size(); ++i) {
        const bool is_local = types[i] == "sliding_attention";
        if (!is_local && types[i] != "full_attention") {
            keys.refuse(kKey, "names " + message::quoted(types[i]) +
                                  ", which is not supported: full_attention and "
                                  "sliding_attention are");
        } else if (is_local != (c.layers[i].window > 0)) {
            keys.refuse(kKey, "has layer " + std::to_string(i) + " as " +
                                  message::quoted(types[i]) +
                                  ", the keys of the sliding window say otherwise");
        }
    }
}

} // namespace

void refuse_gguf_keys(GgufKeys& keys, const ModelConfig& c) {
    refuse_experts(keys, "expert_count");
    for (const char* key : {"logit_scale", "embedding_scale", "residual_scale"}) {
        refuse_factor(keys, key, 0.0);
    }
    for (const char* key : {"attn_logit_softcapping", "final_logit_softcapping"}) {
        if (keys.real(key, -kMaxScale, kMaxScale, 0.0) != 0.0) {
            keys.refuse(key, "is set, which is not supported");
        }
    }
    const auto computed = static_cast<double>(c.attn_scale);
    const double scale = keys.real("attention.scale", -kMaxScale, kMaxScale, computed);
    if (scale != 0.0 && std::abs(scale - computed) > 1e-4 * computed) {
        keys.refuse("attention.scale",
                    "is " + number_text(scale) +
                        ", which is not supported: this model is computed with " +
                        number_text(computed));
    }
}

void refuse_hub_keys(HubKeys& keys, const ModelConfig& c) {
    for (const char* key : {"num_local_experts", "num_experts", "n_routed_experts"}) {
        refuse_experts(keys, key);
    }
    for (const char* key : {"logit_scale", "logits_scaling", "embedding_multiplier",
                            "residual_multiplier", "attention_multiplier"}) {
        refuse_factor(keys, key, 1.0);
    }
    check_activation(keys, c);
    check_layer_types(keys, c);
}

Result<void> refuse_quantized(const formats::HubConfig& config) {
    const auto settings = config.get_object("quantization_config");
    if (!settings) {
        return settings.error();
    }
    if (!*settings) {
        return {};
    }
    const auto method = (*settings)->get_string("quant_method");
    const std::string name =
        method && *method ? message::quoted(**method) : "a method it does not name";
    return Error{ErrorCode::unsupported,
                 "the folder is quantised with " + name +
                     ", which is not supported: weights in BF16, F16 or F32 are needed; or open a "
                     "GGUF file of it"};
}

} // namespace sotto::model
