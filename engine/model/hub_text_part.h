// SPDX-License-Identifier: Apache-2.0
// Folders of models for images and text: what is read of them is the text part.
#pragma once

#include "engine/base/result.h"
#include "engine/formats/hub_config.h"

#include <string>
#include <string_view>
#include <vector>

namespace sotto::model {

/// The settings of the text part: "text_config" of a model for images and text, filled in with the
/// format's own defaults, which is told; all of config.json of the others.
Result<formats::HubConfig> text_part(const formats::HubConfig& config,
                                     std::vector<std::string>& warnings);

/// Where such folders have what one for text alone calls `name`: "language_model." before it, or
/// between "model." and the rest.
std::vector<std::string> names_in_text_part(std::string_view name);

/// Whether a tensor belongs to what turns images into embeddings.
bool is_image_tensor(std::string_view name);

} // namespace sotto::model
