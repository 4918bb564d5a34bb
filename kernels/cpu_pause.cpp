// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu_pause.h"

#if defined(__x86_64__) || defined(_M_X64)
#include <emmintrin.h>
#endif

namespace sotto::kernels {

void cpu_pause() {
#if defined(__x86_64__) || defined(_M_X64)
    _mm_pause();
#elif defined(__aarch64__) && !defined(_MSC_VER)
    asm volatile("isb"); // longer than yield, which does nothing on many cores
#endif
}

} // namespace sotto::kernels
