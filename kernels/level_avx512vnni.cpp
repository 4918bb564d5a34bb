// SPDX-License-Identifier: Apache-2.0
#include "kernels/levels.h"
#include "kernels/packed_layout.h"
#include "kernels/simd/inline.h"

#include <immintrin.h>

#include <cstdint>
#include <cstring>

#define SOTTO_LEVEL avx512vnni
#define SOTTO_VNNI 1

namespace sotto::kernels {
namespace {
#include "kernels/simd/dot_avx512.h"
#include "kernels/simd/f32x16_avx512.h"

#include "kernels/level.inl.h"
} // namespace

const KernelTable* table_avx512vnni() {
    return &kTable;
}

} // namespace sotto::kernels
