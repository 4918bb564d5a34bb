// SPDX-License-Identifier: Apache-2.0
#include "kernels/levels.h"
#include "kernels/packed_layout.h"
#include "kernels/simd/inline.h"

#include <cstdint>
#include <cstring>

namespace sotto::kernels {
namespace {
#include "kernels/simd/f32x16_scalar.h"

#include "kernels/vector_ops.inl.h"

#define SOTTO_PRODUCT(type) scalar_matmul_quantized<WeightType::type>,
const KernelTable kTable = {
    Isa::scalar,
    {scalar_matmul_float<WeightType::F32>, scalar_matmul_float<WeightType::F16>,
     scalar_matmul_float<WeightType::BF16>, SOTTO_QUANTIZED_TYPES(SOTTO_PRODUCT)},
    scalar_quantize_row,
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
