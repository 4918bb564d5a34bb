// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine.h"

namespace sotto::runtime {

/// The tokens that a sequence may hold: what is asked for, or the trained length as far as half of
/// `free_bytes` goes (0: not known). no_memory if what is asked for does not fit.
Result<int> choose_n_ctx(const ModelInfo& info, const EngineOptions& options,
                         std::int64_t free_bytes);

} // namespace sotto::runtime
