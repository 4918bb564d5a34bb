// SPDX-License-Identifier: Apache-2.0
#include "engine/model/gguf_config.h"

#include "engine/model/refused_keys.h"
#include "engine/model/registry.h"

#include <cmath>

namespace sotto::model {
namespace {

Result<std::string> architecture_name(const formats::GgufFile& file) {
    auto name = file.get_string("general.architecture");
    if (!name) {
        return std::move(name).error();
    }
    if (!*name || (*name)->empty()) {
        return Error{ErrorCode::bad_file, "key 'general.architecture' is missing: the file does "
                                          "not say what model it holds"};
    }
    return **std::move(name);
}

void read_attention(GgufKeys& keys, ModelConfig& c) {
    c.n_head = keys.uniform("attention.head_count", c.n_layer, 1, 65536, {});
    c.n_head_kv = keys.uniform("attention.head_count_kv", c.n_layer, 1, 65536, c.n_head);
    if (keys.error()) {
        return;
    }
    c.head_dim = keys.integer("attention.key_length", 1, 512, c.n_embd / c.n_head);
    const int value_length = keys.integer("attention.value_length", 1, 512, c.head_dim);
    if (value_length != c.head_dim) {
        keys.fail(Error{ErrorCode::unsupported,
                        "keys of " + std::to_string(c.head_dim) + " and values of " +
                            std::to_string(value_length) + " dimensions are not supported"});
    }
    c.attn_scale = 1.0f / std::sqrt(static_cast<float>(c.head_dim));
    const int window = keys.integer("attention.sliding_window", 0, 1 << 30, 0);
    c.layers.assign(static_cast<std::size_t>(c.n_layer), LayerConfig{});
    for (LayerConfig& layer : c.layers) {
        layer.window = window;
    }
}

void read_scaling(GgufKeys& keys, ModelConfig& c) {
    RopeScaling& s = c.rope_scaling;
    const std::string kind = keys.text("rope.scaling.type");
    if (kind.empty() || kind == "none") {
        return;
    }
    s.factor = keys.real("rope.scaling.factor", 1e-3, 1e6, 1.0);
    s.original_context = keys.real("rope.scaling.original_context_length", 1, 1e9,
                                   static_cast<double>(c.n_ctx_train));
    if (kind == "linear") {
        s.kind = RopeScaling::Kind::linear;
    } else if (kind == "yarn") {
        s.kind = RopeScaling::Kind::yarn;
        s.attention_factor = keys.real("rope.scaling.attn_factor", 0, 100, 0.0);
        s.beta_fast = keys.real("rope.scaling.yarn_beta_fast", 0.01, 1e6, 32.0);
        s.beta_slow = keys.real("rope.scaling.yarn_beta_slow", 0.01, 1e6, 1.0);
    } else {
        keys.fail(Error{ErrorCode::unsupported,
                        "rope scaling '" + kind +
                            "' is not supported: none, linear, yarn and a rope_freqs tensor are"});
    }
}

void read_rope(GgufKeys& keys, ModelConfig& c) {
    c.n_rot = keys.integer("rope.dimension_count", 2, c.head_dim, c.head_dim);
    c.rope_freq_base = keys.real("rope.freq_base", 1.0, 1e15, 10000.0);
    read_scaling(keys, c);
}

} // namespace

Result<ModelConfig> read_gguf_config(const formats::GgufFile& file,
                                     std::vector<std::string>& warnings) {
    auto name = architecture_name(file);
    if (!name) {
        return std::move(name).error();
    }
    const Architecture* architecture = find_architecture(*name);
    if (!architecture) {
        return unknown_architecture(*name);
    }
    ModelConfig c;
    c.architecture = *std::move(name);
    GgufKeys keys(file, c.architecture + ".");
    c.n_layer = keys.integer("block_count", 1, 4096, {});
    c.n_embd = keys.integer("embedding_length", 1, 1 << 20, {});
    c.n_ff = keys.uniform("feed_forward_length", c.n_layer, 1, 1 << 22, {});
    c.n_ctx_train = keys.integer("context_length", 1, 1 << 30, 2048);
    c.norm_rms_eps =
        static_cast<float>(keys.real("attention.layer_norm_rms_epsilon", 0.0, 1.0, 1e-5));
    read_attention(keys, c);
    read_rope(keys, c);
    if (!keys.error()) {
        architecture->read_gguf(keys, c);
        refuse_gguf_keys(keys, c);
        c.n_vocab = keys.integer("vocab_size", 0, 1 << 30, 0);
    }
    if (keys.error()) {
        return *keys.error();
    }
    if (!file.find(c.architecture + ".attention.layer_norm_rms_epsilon")) {
        warnings.push_back("The file names no norm epsilon; 1e-5 is used.");
    }
    if (!file.find(c.architecture + ".context_length")) {
        warnings.push_back("The file names no context length; 2048 is used.");
    }
    if (auto done = check_config(c); !done) {
        return std::move(done).error();
    }
    return c;
}

} // namespace sotto::model
