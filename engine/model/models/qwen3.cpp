// SPDX-License-Identifier: Apache-2.0
#include "engine/model/models/qwen3.h"

#include "engine/model/models/decoder.h"
#include "engine/model/models/qwen2.h"

namespace sotto::model::qwen3 {

void read_gguf(GgufKeys& keys, ModelConfig& c) {
    qwen2::read_gguf(keys, c);
}

void read_hub(HubKeys& keys, ModelConfig& c) {
    qwen2::read_hub(keys, c);
    if (keys.boolean("attention_bias", false)) {
        keys.refuse("attention_bias", "is true, which is not supported");
    }
}

void bind(const ModelConfig& c, WeightLoader& loader, Weights& w) {
    decoder::bind(c, {.qk_norm = true}, loader, w);
}

void plan(StepContext& c, StepPlan& p) {
    decoder::plan(c, p);
}

} // namespace sotto::model::qwen3
