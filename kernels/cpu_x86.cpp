// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu.h"

#include <cstdint>
#include <cstring>

#if defined(_MSC_VER)
#include <intrin.h>
#else
#include <cpuid.h>
#endif

namespace sotto::kernels {
namespace {

struct Registers {
    std::uint32_t eax = 0, ebx = 0, ecx = 0, edx = 0;
};

/// Zeros for a leaf that the CPU does not have.
Registers cpuid(std::uint32_t leaf, std::uint32_t subleaf = 0) {
    Registers r;
#if defined(_MSC_VER)
    int out[4];
    __cpuid(out, static_cast<int>(leaf & 0x80000000u));
    if (static_cast<std::uint32_t>(out[0]) < leaf)
        return r;
    __cpuidex(out, static_cast<int>(leaf), static_cast<int>(subleaf));
    std::memcpy(&r, out, sizeof r);
#else
    __get_cpuid_count(leaf, subleaf, &r.eax, &r.ebx, &r.ecx, &r.edx);
#endif
    return r;
}

/// The register states that the operating system saves (XCR0).
std::uint64_t saved_states() {
#if defined(_MSC_VER)
    return _xgetbv(0);
#else
    std::uint32_t low, high;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return static_cast<std::uint64_t>(high) << 32 | low;
#endif
}

bool bit(std::uint32_t value, int index) {
    return value >> index & 1;
}

std::string vendor() {
    const Registers r = cpuid(0);
    const std::uint32_t parts[3] = {r.ebx, r.edx, r.ecx};
    char text[13] = {};
    std::memcpy(text, parts, 12);
    return text;
}

std::string model() {
    char text[49] = {};
    for (std::uint32_t i = 0; i < 3; ++i) {
        const Registers r = cpuid(0x80000002u + i);
        std::memcpy(text + 16 * i, &r, sizeof r);
    }
    const std::string name = text;
    const std::size_t first = name.find_first_not_of(' '), last = name.find_last_not_of(' ');
    return first == std::string::npos ? std::string() : name.substr(first, last - first + 1);
}

// Bit numbers: Intel SDM volume 2, CPUID, leaves 1 and 7.
CpuFeatures detect() {
    CpuFeatures cpu;
    cpu.vendor = vendor();
    cpu.model = model();
    const Registers basic = cpuid(1), extended = cpuid(7), more = cpuid(7, 1);
    const bool has_xgetbv = bit(basic.ecx, 27);
    const std::uint64_t states = has_xgetbv ? saved_states() : 0;
    const bool ymm = (states & 0x06) == 0x06; // SSE, AVX
    const bool zmm = (states & 0xe6) == 0xe6; // and opmask, upper halves, registers 16..31
    cpu.avx2 = ymm && bit(basic.ecx, 12) && bit(basic.ecx, 28) && bit(basic.ecx, 29) &&
               bit(extended.ebx, 5); // FMA, AVX, F16C, AVX2
    cpu.avx_vnni = ymm && bit(more.eax, 4);
    cpu.avx512 = cpu.avx2 && zmm && bit(extended.ebx, 16) && bit(extended.ebx, 17) &&
                 bit(extended.ebx, 30) && bit(extended.ebx, 31); // F, DQ, BW, VL
    cpu.avx512_vnni = cpu.avx512 && bit(extended.ecx, 11);
    return cpu;
}

} // namespace

const CpuFeatures& cpu_features() {
    static const CpuFeatures features = detect();
    return features;
}

} // namespace sotto::kernels
