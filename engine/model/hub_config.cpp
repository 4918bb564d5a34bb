// SPDX-License-Identifier: Apache-2.0
#include "engine/model/hub_config.h"

#include "engine/base/message.h"
#include "engine/model/hub_text_part.h"
#include "engine/model/refused_keys.h"
#include "engine/model/registry.h"

#include <cmath>

namespace sotto::model {
namespace {

void read_sizes(HubKeys& keys, ModelConfig& c) {
    c.n_layer = keys.integer("num_hidden_layers", 1, 4096, {});
    c.n_embd = keys.integer("hidden_size", 1, 1 << 20, {});
    c.n_ff = keys.integer("intermediate_size", 1, 1 << 22, {});
    c.n_ctx_train = keys.integer("max_position_embeddings", 1, 1 << 30, 2048);
    c.n_head = keys.integer("num_attention_heads", 1, 65536, {});
    c.n_head_kv = keys.integer("num_key_value_heads", 1, 65536, c.n_head);
    if (keys.error()) {
        return;
    }
    c.head_dim = keys.integer("head_dim", 1, 512, c.n_embd / c.n_head);
    c.attn_scale = 1.0f / std::sqrt(static_cast<float>(c.head_dim));
    c.norm_rms_eps = static_cast<float>(keys.real("rms_norm_eps", 0.0, 1.0, 1e-6));
    c.layers.assign(static_cast<std::size_t>(c.n_layer), LayerConfig{});
}

/// An object such as "rope_scaling"; null and missing are the same.
std::optional<formats::HubConfig> object_of(const formats::HubConfig& config, const char* key,
                                            HubKeys& keys) {
    auto object = config.get_object(key);
    if (!object) {
        keys.fail(std::move(object).error());
        return {};
    }
    return *std::move(object);
}

void read_scaling(const formats::HubConfig& object, HubKeys& outer, ModelConfig& c) {
    HubKeys keys(object, "");
    RopeScaling& s = c.rope_scaling;
    std::string kind = keys.text("rope_type");
    kind = kind.empty() ? keys.text("type") : kind; // the older spelling
    if (kind.empty() || kind == "default") {
        return;
    }
    if (kind != "linear" && kind != "llama3" && kind != "yarn") {
        outer.fail(Error{ErrorCode::unsupported,
                         "rope scaling " + message::quoted(kind) +
                             " is not supported: default, linear, llama3 and yarn are"});
        return;
    }
    s.factor = keys.real("factor", 1e-3, 1e6, {});
    s.original_context =
        keys.real("original_max_position_embeddings", 1, 1e9, static_cast<double>(c.n_ctx_train));
    if (kind == "linear") {
        s.kind = RopeScaling::Kind::linear;
    } else if (kind == "llama3") {
        s.kind = RopeScaling::Kind::llama3;
        s.low_freq_factor = keys.real("low_freq_factor", 1e-3, 1e6, {});
        s.high_freq_factor = keys.real("high_freq_factor", 1e-3, 1e6, {});
        if (s.high_freq_factor <= s.low_freq_factor) {
            keys.refuse("high_freq_factor", "is not above low_freq_factor");
        }
    } else {
        s.kind = RopeScaling::Kind::yarn;
        s.attention_factor = keys.real("attention_factor", 0, 100, 0.0);
        s.beta_fast = keys.real("beta_fast", 0.01, 1e6, 32.0);
        s.beta_slow = keys.real("beta_slow", 0.01, 1e6, 1.0);
    }
    if (keys.error()) {
        outer.fail(*keys.error());
    }
}

double base_of(const formats::HubConfig& object, HubKeys& outer, double fallback) {
    HubKeys keys(object, "");
    const double base = keys.real("rope_theta", 1.0, 1e15, fallback);
    if (keys.error()) {
        outer.fail(*keys.error());
    }
    return base;
}

void read_rope(const formats::HubConfig& config, HubKeys& keys, ModelConfig& c) {
    c.n_rot = c.head_dim;
    c.rope_freq_base = keys.real("rope_theta", 1.0, 1e15, 10000.0);
    if (keys.real("partial_rotary_factor", 0.0, 1.0, 1.0) != 1.0) {
        keys.refuse("partial_rotary_factor", "other than 1 is not supported");
    }
    if (const auto scaling = object_of(config, "rope_scaling", keys)) {
        read_scaling(*scaling, keys, c);
    }
    // transformers 5 writes both into one object, or into one for each kind of layer.
    const auto parameters = object_of(config, "rope_parameters", keys);
    if (!parameters) {
        return;
    }
    const auto full = object_of(*parameters, "full_attention", keys);
    const auto local = object_of(*parameters, "sliding_attention", keys);
    c.rope_freq_base = base_of(full ? *full : *parameters, keys, c.rope_freq_base);
    if (local) {
        c.rope_freq_base_local = base_of(*local, keys, c.rope_freq_base_local);
    }
    read_scaling(full ? *full : *parameters, keys, c);
}

} // namespace

Result<ModelConfig> read_hub_config(const formats::HubConfig& whole,
                                    std::vector<std::string>& warnings) {
    if (auto done = refuse_quantized(whole); !done) {
        return std::move(done).error();
    }
    const auto text = text_part(whole, warnings);
    if (!text) {
        return text.error();
    }
    const formats::HubConfig& config = *text;
    HubKeys keys(config, "");
    const std::string type = keys.text("model_type");
    if (!keys.error() && type.empty()) {
        return Error{ErrorCode::bad_file,
                     "key 'model_type' is missing: it does not say what model the folder holds"};
    }
    const Architecture* architecture = find_hub_architecture(type);
    if (!keys.error() && !architecture) {
        return unknown_hub_architecture(type);
    }
    ModelConfig c;
    read_sizes(keys, c);
    if (!keys.error()) {
        c.architecture = architecture->name;
        read_rope(config, keys, c);
        c.tied = keys.boolean("tie_word_embeddings", architecture->hub.tied_by_default);
        architecture->read_hub(keys, c);
        refuse_hub_keys(keys, c);
        c.n_vocab = keys.integer("vocab_size", 0, 1 << 30, 0);
    }
    if (keys.error()) {
        return *keys.error();
    }
    if (!config.has("rms_norm_eps")) {
        warnings.push_back("config.json names no rms_norm_eps; 1e-6 is used.");
    }
    if (auto done = check_config(c); !done) {
        return std::move(done).error();
    }
    return c;
}

} // namespace sotto::model
