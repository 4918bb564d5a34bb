// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu.h"

#if defined(__linux__)
#include <sys/auxv.h>
#elif defined(__APPLE__)
#include <sys/sysctl.h>
#endif

namespace sotto::kernels {
namespace {

bool has_dotprod() {
#if defined(__linux__)
    constexpr unsigned long kAsimdDp = 1ul << 20; // HWCAP_ASIMDDP
    return (getauxval(AT_HWCAP) & kAsimdDp) != 0;
#elif defined(__APPLE__)
    int value = 0;
    std::size_t size = sizeof value;
    return sysctlbyname("hw.optional.arm.FEAT_DotProd", &value, &size, nullptr, 0) == 0 && value;
#else
    return false;
#endif
}

CpuFeatures detect() {
    CpuFeatures cpu;
    cpu.vendor = "ARM";
    cpu.model = "aarch64";
    cpu.dotprod = has_dotprod();
    return cpu;
}

} // namespace

const CpuFeatures& cpu_features() {
    static const CpuFeatures features = detect();
    return features;
}

} // namespace sotto::kernels
