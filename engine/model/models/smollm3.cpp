// SPDX-License-Identifier: Apache-2.0
#include "engine/model/models/smollm3.h"

#include "engine/model/models/decoder.h"

namespace sotto::model::smollm3 {
namespace {

constexpr int kInterval = 4; // of layers, the last of which does not rotate

void set_interval(ModelConfig& c, int interval) {
    for (int i = 0; i < c.n_layer; ++i) {
        c.layers[static_cast<std::size_t>(i)].rope = (i + 1) % interval != 0;
    }
}

} // namespace

void read_gguf(GgufKeys&, ModelConfig& c) {
    c.rope_style = kernels::RopeStyle::interleaved; // rows are permuted as for llama
    set_interval(c, kInterval);                     // no key says so
}

void read_hub(HubKeys& keys, ModelConfig& c) {
    c.rope_style = kernels::RopeStyle::interleaved;
    set_interval(c, keys.integer("no_rope_layer_interval", 1, 1 << 20, kInterval));
    const std::vector<std::int64_t> rotates = keys.per_layer("no_rope_layers", c.n_layer);
    for (std::size_t i = 0; i < rotates.size(); ++i) {
        c.layers[i].rope = rotates[i] != 0; // 1 is with, despite the key's name
    }
    if (keys.boolean("attention_bias", false)) {
        keys.refuse("attention_bias", "is true, which is not supported");
    }
    if (keys.boolean("mlp_bias", false)) {
        keys.refuse("mlp_bias", "is true, which is not supported");
    }
    if (keys.boolean("use_sliding_window", false)) {
        keys.refuse("use_sliding_window", "is true, which is not supported");
    }
}

void bind(const ModelConfig& c, WeightLoader& loader, Weights& w) {
    decoder::bind(c, {}, loader, w);
}

void plan(StepContext& c, StepPlan& p) {
    decoder::plan(c, p);
}

} // namespace sotto::model::smollm3
