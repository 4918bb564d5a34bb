// SPDX-License-Identifier: Apache-2.0
// The steps that a tokenizer.json lists, each list on its own.
#pragma once

#include "engine/tokenizer/json_fields.h"
#include "engine/tokenizer/pipeline.h"

namespace sotto::tokenizer {

/// Mistakes go to `fields`.
std::vector<NormalizerStep> read_normalizer(json::Value root, JsonFields& fields);

struct PreTokenizerSteps {
    std::vector<SplitStep> steps;
    bool byte_level = false;
};
PreTokenizerSteps read_pre_tokenizer(json::Value root, JsonFields& fields);

/// What it changes in the meaning of tokens: spellings, puts_blank_first.
void read_decoder(json::Value root, JsonFields& fields, Pipeline& pipeline);

/// The token that is put before a text, "" for none.
std::string_view read_first_token(json::Value root, JsonFields& fields);

/// {"String": "..."} or {"Regex": "..."}; null if there is a mistake.
std::shared_ptr<const Pattern> read_pattern(json::Value step, JsonFields& fields);

} // namespace sotto::tokenizer
