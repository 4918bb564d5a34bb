// SPDX-License-Identifier: Apache-2.0
#include "kernels/isa.h"

#include "kernels/cpu.h"

#include <cstring>

namespace sotto::kernels {
namespace {

struct Level {
    Isa isa;
    bool (*usable)(const CpuFeatures&);
};

// Slowest first. Levels of other processors are not in the build.
constexpr Level kLevels[] = {
    {Isa::scalar, [](const CpuFeatures&) { return true; }},
#if defined(SOTTO_X86_64)
    {Isa::avx2, [](const CpuFeatures& cpu) { return cpu.avx2; }},
    {Isa::avx2vnni, [](const CpuFeatures& cpu) { return cpu.avx2 && cpu.avx_vnni; }},
    {Isa::avx512, [](const CpuFeatures& cpu) { return cpu.avx512; }},
    {Isa::avx512vnni, [](const CpuFeatures& cpu) { return cpu.avx512 && cpu.avx512_vnni; }},
#elif defined(SOTTO_AARCH64)
    {Isa::neon, [](const CpuFeatures&) { return true; }},
    {Isa::dotprod, [](const CpuFeatures& cpu) { return cpu.dotprod; }},
    {Isa::i8mm, [](const CpuFeatures& cpu) { return cpu.dotprod && cpu.i8mm; }},
#endif
};

} // namespace

const char* isa_name(Isa isa) {
    switch (isa) {
    case Isa::scalar:
        return "scalar";
    case Isa::avx2:
        return "avx2";
    case Isa::avx2vnni:
        return "avx2vnni";
    case Isa::avx512:
        return "avx512";
    case Isa::avx512vnni:
        return "avx512vnni";
    case Isa::neon:
        return "neon";
    case Isa::dotprod:
        return "dotprod";
    case Isa::i8mm:
        return "i8mm";
    }
    return "unknown";
}

std::vector<Isa> supported_isas() {
    std::vector<Isa> isas;
    for (const Level& level : kLevels)
        if (level.usable(cpu_features()))
            isas.push_back(level.isa);
    return isas;
}

std::string cpu_description() {
    const CpuFeatures& cpu = cpu_features();
    std::string text = cpu.vendor;
    if (!cpu.model.empty())
        text += (text.empty() ? "" : ", ") + cpu.model;
    text += text.empty() ? "levels:" : "; levels:";
    for (Isa isa : supported_isas())
        text += std::string(" ") + isa_name(isa);
    return text;
}

bool choose_isa(const char* forced, Isa& isa, std::string& error) {
    const std::vector<Isa> isas = supported_isas();
    if (!forced || !*forced) {
        isa = isas.back();
        return true;
    }
    std::string names;
    for (Isa candidate : isas) {
        if (std::strcmp(forced, isa_name(candidate)) == 0) {
            isa = candidate;
            return true;
        }
        names += std::string(names.empty() ? "" : ", ") + isa_name(candidate);
    }
    error = "SOTTO_ISA is '" + std::string(forced) + "', but this CPU and build have " + names;
    return false;
}

} // namespace sotto::kernels
