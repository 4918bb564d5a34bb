// SPDX-License-Identifier: Apache-2.0
#include "kernels/kernels.h"

namespace sotto::kernels {
namespace {
#include "kernels/attention_sizes.inl.h"
}

std::size_t attention_scratch_floats(int n_queries, int head_dim) {
    const int tile = (kTileQueries * tile_query_floats(head_dim) + 15) / 16 * 16;
    const int widened = n_queries > kTileQueries ? 2 * kAttnChunk * head_dim : 0;
    return static_cast<std::size_t>(tile + all_codes_floats(n_queries, head_dim) + widened);
}

std::size_t kv_tile_bytes(KvType type, int head_dim) {
    if (type == KvType::Q8_0)
        return (static_cast<std::size_t>(kKeyBlockBytes * kv_blocks(head_dim)) + 63) / 64 * 64;
    return static_cast<std::size_t>(head_dim * kKvTile) * (type == KvType::F32 ? 4 : 2);
}

} // namespace sotto::kernels
