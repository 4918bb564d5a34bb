// SPDX-License-Identifier: Apache-2.0
#include "kernels/levels.h"
#include "kernels/simd/inline.h"

#include <cstdint>
#include <cstring>

namespace sotto::kernels {
namespace {
#include "kernels/simd/f32x16_scalar.h"

#include "kernels/vector_ops.inl.h"

using enum WeightType;
const KernelTable kTable = {
    Isa::scalar,
    {scalar_matmul_float<F32>, scalar_matmul_float<F16>, scalar_matmul_float<BF16>,
     scalar_matmul_quantized<Q8_0>, scalar_matmul_quantized<Q4_0>, scalar_matmul_quantized<Q4_1>,
     scalar_matmul_quantized<Q5_0>, scalar_matmul_quantized<Q5_1>, scalar_matmul_quantized<Q4_K>,
     scalar_matmul_quantized<Q5_K>, scalar_matmul_quantized<Q6_K>},
    scalar_quantize_row,
    rms_norm,
    rope,
    silu_mul,
    add,
    softmax,
    log_sum_exp,
    argmax,
    store_k,
    store_v,
    attention_chunk,
    attention_finish,
};
} // namespace

const KernelTable* table_scalar() {
    return &kTable;
}

} // namespace sotto::kernels
