// SPDX-License-Identifier: Apache-2.0
#include "engine/model/models/qwen2.h"

#include "engine/model/models/decoder.h"

#include <algorithm>

namespace sotto::model::qwen2 {

void read_gguf(GgufKeys&, ModelConfig& c) {
    c.rope_style = kernels::RopeStyle::halves; // rows are as trained
}

void read_hub(HubKeys& keys, ModelConfig& c) {
    c.rope_style = kernels::RopeStyle::halves;
    if (!keys.boolean("use_sliding_window", false)) {
        return;
    }
    const int window = keys.integer("sliding_window", 1, 1 << 30, {});
    const std::vector<std::string> types = keys.texts("layer_types"); // of newer folders
    for (std::size_t i = 0; i < std::min(types.size(), c.layers.size()); ++i) {
        c.layers[i].window = types[i] == "sliding_attention" ? window : 0;
    }
    if (!types.empty()) {
        return;
    }
    for (int i = keys.integer("max_window_layers", 0, 1 << 20, c.n_layer); i < c.n_layer; ++i) {
        c.layers[static_cast<std::size_t>(i)].window = window;
    }
}

void bind(const ModelConfig& c, WeightLoader& loader, Weights& w) {
    decoder::bind(c, {.qkv_bias = decoder::Parts::Need::required}, loader, w);
}

void plan(StepContext& c, StepPlan& p) {
    decoder::plan(c, p);
}

} // namespace sotto::model::qwen2
