// SPDX-License-Identifier: Apache-2.0
#include "kernels/levels.h"
#include "kernels/packed_layout.h"
#include "kernels/simd/inline.h"

#include <immintrin.h>

#include <cstdint>
#include <cstring>

#define SOTTO_LEVEL avx2vnni
#define SOTTO_VNNI 1

namespace sotto::kernels {
namespace {
#include "kernels/simd/dot_avx2.h"
#include "kernels/simd/f32x16_avx2.h"

#include "kernels/level.inl.h"
} // namespace

const KernelTable* table_avx2vnni() {
    return &kTable;
}

} // namespace sotto::kernels
