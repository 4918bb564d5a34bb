// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine.h"

#include <string>

namespace sotto::cli {

/// Bits a weight takes on the average, scales and padding included; 0: not known.
double bits_per_weight(const TensorTypeCount& count);
double bits_per_weight(const ModelInfo& info);

/// A sentence where a context of n_ctx is more than the model was trained with, else empty.
std::string context_warning(const ModelInfo& info, int n_ctx);

/// A model described for people: what it is, tensors by type, metadata; 80 columns wide. n_ctx: of
/// the memory figures.
std::string info_text(const ModelInfo& info, int n_ctx);

} // namespace sotto::cli
