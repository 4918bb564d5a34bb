// SPDX-License-Identifier: Apache-2.0
#include "kernels/levels.h"

namespace sotto::kernels {

const KernelTable& kernel_table(Isa isa) {
    switch (isa) {
#if defined(SOTTO_X86_64)
    case Isa::avx2:
        return *table_avx2();
    case Isa::avx2vnni:
        return *table_avx2vnni();
    case Isa::avx512:
        return *table_avx512();
    case Isa::avx512vnni:
        return *table_avx512vnni();
#elif defined(SOTTO_AARCH64)
    case Isa::neon:
        return *table_neon();
    case Isa::dotprod:
        return *table_dotprod();
    case Isa::i8mm:
        return *table_i8mm();
#endif
    default:
        return *table_scalar();
    }
}

} // namespace sotto::kernels
