// SPDX-License-Identifier: Apache-2.0
#include "kernels/kernels.h"

namespace sotto::kernels {
namespace {
#include "kernels/attention_sizes.inl.h"
}

std::size_t attention_scratch_floats(int /*n_queries*/, int head_dim) {
    return static_cast<std::size_t>(kTileQueries * (kAttnChunk + padded_head_dim(head_dim)));
}

} // namespace sotto::kernels
