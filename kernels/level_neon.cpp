// SPDX-License-Identifier: Apache-2.0
#include "kernels/levels.h"
#include "kernels/packed_layout.h"
#include "kernels/simd/inline.h"

#include <arm_neon.h>

#include <cstdint>
#include <cstring>

#define SOTTO_LEVEL neon
#define SOTTO_DOTPROD 0
#define SOTTO_I8MM 0

namespace sotto::kernels {
namespace {
#include "kernels/simd/dot_neon.h"
#include "kernels/simd/f32x16_neon.h"

#include "kernels/level.inl.h"
} // namespace

const KernelTable* table_neon() {
    return &kTable;
}

} // namespace sotto::kernels
