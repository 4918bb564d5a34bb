// SPDX-License-Identifier: Apache-2.0
// The table of a vector level. Included inside an unnamed namespace, after the traits; the
// including file defines SOTTO_LEVEL, an Isa.

#include "kernels/act_tiles.inl.h"

#include "kernels/block_dot.inl.h"

#include "kernels/matmul_quantized.inl.h"

#include "kernels/matmul_float.inl.h"
#include "kernels/probe.inl.h"
#include "kernels/quantize.inl.h"

#include "kernels/attention_sizes.inl.h"

#include "kernels/query_codes.inl.h"

#include "kernels/vector_ops.inl.h"

static_assert(kPackedRows % Simd::kMaxRows == 0);

#define SOTTO_PRODUCT(type) matmul_quantized<WeightType::type>,
#define SOTTO_PACK(type) pack_rows<WeightType::type>,
const KernelTable kTable = {
    Isa::SOTTO_LEVEL,
    {matmul_float<WeightType::F32>, matmul_float<WeightType::F16>, matmul_float<WeightType::BF16>,
     SOTTO_QUANTIZED_TYPES(SOTTO_PRODUCT)},
    {nullptr, nullptr, nullptr, SOTTO_QUANTIZED_TYPES(SOTTO_PACK)},
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
    probe_products,
    probe_read,
};
#undef SOTTO_PRODUCT
#undef SOTTO_PACK
