// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace sotto::kernels {

/// What the levels depend on; a feature counts only if the operating system keeps its registers.
struct CpuFeatures {
    std::string vendor, model;
    bool avx2 = false; // with FMA and F16C
    bool avx_vnni = false;
    bool avx512 = false; // F, BW, DQ and VL
    bool avx512_vnni = false;
    bool dotprod = false;
    bool i8mm = false;
};

/// Asked once, the first time; any thread.
const CpuFeatures& cpu_features();

} // namespace sotto::kernels
