// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/hub_config.h"
#include "engine/model/config.h"
#include "engine/model/key_reader.h"

#include <string>
#include <vector>

namespace sotto::model {

using HubKeys = KeyReader<formats::HubConfig>;

/// Reads a config.json, then what the architecture's own file adds. n_vocab is what it says, or 0:
/// the weights have the last word.
Result<ModelConfig> read_hub_config(const formats::HubConfig& config,
                                    std::vector<std::string>& warnings);

} // namespace sotto::model
