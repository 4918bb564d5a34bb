// SPDX-License-Identifier: Apache-2.0
#include "engine/runtime/context_length.h"

#include <algorithm>
#include <string>

namespace sotto::runtime {

Result<int> choose_n_ctx(const ModelInfo& info, const EngineOptions& options,
                         std::int64_t free_bytes) {
    const std::int64_t per_token = std::max<std::int64_t>(1, info.kv_bytes(options.cache_type, 1));
    if (options.n_ctx > 0) {
        const std::int64_t needed = info.kv_bytes(options.cache_type, options.n_ctx);
        if (free_bytes > 0 && needed > free_bytes) {
            return Error{ErrorCode::no_memory,
                         "a context of " + std::to_string(options.n_ctx) + " tokens needs " +
                             std::to_string(needed >> 20) + " MiB of memory, " +
                             std::to_string(free_bytes >> 20) + " MiB are free"};
        }
        return options.n_ctx;
    }
    const std::int64_t fits = free_bytes > 0 ? free_bytes / 2 / per_token : info.n_ctx_train;
    return static_cast<int>(
        std::clamp<std::int64_t>(fits, std::min(512, info.n_ctx_train), info.n_ctx_train));
}

} // namespace sotto::runtime
