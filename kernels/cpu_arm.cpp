// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu.h"

#if defined(__linux__)
#include <sys/auxv.h>
#elif defined(__APPLE__)
#include <sys/sysctl.h>
#endif

namespace sotto::kernels {
namespace {

#if defined(__linux__)
bool has_dotprod() {
    return (getauxval(AT_HWCAP) & 1ul << 20) != 0; // HWCAP_ASIMDDP
}
bool has_i8mm() {
    return (getauxval(AT_HWCAP2) & 1ul << 13) != 0; // HWCAP2_I8MM
}
#elif defined(__APPLE__)
bool has(const char* name) {
    int value = 0;
    std::size_t size = sizeof value;
    return sysctlbyname(name, &value, &size, nullptr, 0) == 0 && value;
}
bool has_dotprod() {
    return has("hw.optional.arm.FEAT_DotProd");
}
bool has_i8mm() {
    return has("hw.optional.arm.FEAT_I8MM");
}
#else
bool has_dotprod() {
    return false;
}
bool has_i8mm() {
    return false;
}
#endif

CpuFeatures detect() {
    CpuFeatures cpu;
    cpu.vendor = "ARM";
    cpu.model = "aarch64";
    cpu.dotprod = has_dotprod();
    cpu.i8mm = has_i8mm();
    return cpu;
}

} // namespace

const CpuFeatures& cpu_features() {
    static const CpuFeatures features = detect();
    return features;
}

} // namespace sotto::kernels
