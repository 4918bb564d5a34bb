// SPDX-License-Identifier: Apache-2.0
// The table of a vector level. Included inside an unnamed namespace, after the traits; the
// including file defines SOTTO_LEVEL, an Isa.

#include "kernels/act_tiles.inl.h"

#include "kernels/matmul_quantized.inl.h"

#include "kernels/matmul_float.inl.h"
#include "kernels/quantize.inl.h"
#include "kernels/vector_ops.inl.h"

const KernelTable kTable = {
    Isa::SOTTO_LEVEL,
    {matmul_float<WeightType::F32>, matmul_float<WeightType::F16>, matmul_float<WeightType::BF16>,
     matmul_quantized<WeightType::Q8_0>, matmul_quantized<WeightType::Q4_0>,
     matmul_quantized<WeightType::Q4_1>, matmul_quantized<WeightType::Q5_0>,
     matmul_quantized<WeightType::Q5_1>, matmul_quantized<WeightType::Q4_K>,
     matmul_quantized<WeightType::Q5_K>, matmul_quantized<WeightType::Q6_K>},
    quantize_row,
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
