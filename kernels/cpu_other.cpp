// SPDX-License-Identifier: Apache-2.0
// Processors that have the scalar level only.
#include "kernels/cpu.h"

namespace sotto::kernels {

const CpuFeatures& cpu_features() {
    static const CpuFeatures features;
    return features;
}

} // namespace sotto::kernels
