// SPDX-License-Identifier: Apache-2.0
#include "kernels/levels.h"
#include "kernels/packed_layout.h"
#include "kernels/simd/inline.h"

#include <cstdint>
#include <cstring>

namespace sotto::kernels {
namespace {
#include "kernels/simd/f32x16_scalar.h"

#include "kernels/attention_sizes.inl.h"

constexpr auto quantize_row = scalar_quantize_row;

/// The definition: the queries' products with packed Q8_0 rows, a tile of keys at a time.
struct QueryCodes {
    Activations queries;
    std::int64_t n_cols = 0;

    void fill(const Activations& quantised, int n_blocks, unsigned char*) {
        queries = quantised;
        n_cols = std::int64_t{32} * n_blocks;
    }
    int multiply(const void* const* k_tiles, int, float* y, std::int64_t ldy) const {
        scalar_matmul_quantized<WeightType::Q8_0>(k_tiles[0], n_cols, 0, 1, queries, y, ldy);
        return 1;
    }
};

#include "kernels/vector_ops.inl.h"

#define SOTTO_PRODUCT(type) scalar_matmul_quantized<WeightType::type>,
const KernelTable kTable = {
    Isa::scalar,
    {scalar_matmul_float<WeightType::F32>, scalar_matmul_float<WeightType::F16>,
     scalar_matmul_float<WeightType::BF16>, SOTTO_QUANTIZED_TYPES(SOTTO_PRODUCT)},
    {},
    quantize_row,
    rms_norm,
    rope,
    silu_mul,
    gelu_tanh_mul,
    add,
    scale,
    softmax,
    log_sum_exp,
    argmax,
    store_k,
    store_v,
    attention_chunk,
    attention_merge,
    attention_finish,
    scalar_probe_products,
    scalar_probe_read,
};
#undef SOTTO_PRODUCT
} // namespace

const KernelTable* table_scalar() {
    return &kTable;
}

} // namespace sotto::kernels
