// SPDX-License-Identifier: Apache-2.0
// The tables of the single levels. Those of other processors are not compiled
// (kernels/CMakeLists.txt).
#pragma once

#include "kernels/kernels.h"
#include "kernels/math.h"

namespace sotto::kernels {

const KernelTable* table_scalar();
const KernelTable* table_avx2();
const KernelTable* table_avx2vnni();
const KernelTable* table_avx512();
const KernelTable* table_avx512vnni();
const KernelTable* table_neon();
const KernelTable* table_dotprod();
const KernelTable* table_i8mm();

// The scalar definitions of the products and of the activations' quantisation (scalar_matmul.cpp).
template <WeightType type>
void scalar_matmul_quantized(const void* w, std::int64_t n_cols, std::int64_t group_begin,
                             std::int64_t group_end, const Activations& x, float* y,
                             std::int64_t ldy);
template <WeightType type>
void scalar_matmul_float(const void* w, std::int64_t n_cols, std::int64_t group_begin,
                         std::int64_t group_end, const Activations& x, float* y, std::int64_t ldy);
void scalar_quantize_row(const float* x, std::int64_t n, std::int8_t* q, float* d,
                         std::int32_t* sum);
// scalar_probe.cpp
std::int64_t scalar_probe_products(std::int64_t n_rounds, const std::uint8_t* codes,
                                   const std::int8_t* x, std::int32_t* sink);
void scalar_probe_read(const void* data, std::int64_t n_bytes, std::int32_t* sink);

} // namespace sotto::kernels
