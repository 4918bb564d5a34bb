// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine.h"

namespace sotto::ui {

/// How much of a chat is kept, how, and what happens beyond that. 0 leaves a number to the engine.
struct MemorySettings {
    int nCtx = 0; ///< tokens
    CacheTypes cacheTypes;
    int kvMiB = 0; ///< for keys and values of all requests
    ContextFull contextFull = ContextFull::stop;

    bool operator==(const MemorySettings&) const = default;
    /// Whether an engine made with `other` serves: all but the policy is fixed when it is made.
    [[nodiscard]] bool sameEngine(const MemorySettings& other) const {
        return nCtx == other.nCtx && cacheTypes == other.cacheTypes && kvMiB == other.kvMiB;
    }
    void applyTo(EngineOptions& options) const {
        options.n_ctx = nCtx;
        options.cache_type = cacheTypes;
        options.max_kv_bytes = std::int64_t{kvMiB} << 20;
    }
    /// What applyTo() wrote; the policy is not among it.
    [[nodiscard]] static MemorySettings of(const EngineOptions& options) {
        return {options.n_ctx, options.cache_type, static_cast<int>(options.max_kv_bytes >> 20),
                ContextFull::stop};
    }
};

} // namespace sotto::ui
