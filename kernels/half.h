// SPDX-License-Identifier: Apache-2.0
// Exact widening of 16-bit floats, in plain code. Not for the files of an instruction set.
#pragma once

#include <cstdint>
#include <cstring>

namespace sotto::kernels {

inline float float_from_bits(std::uint32_t bits) {
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

/// IEEE binary16: denormals are kept, infinities and NaN stay what they are.
inline float f16_to_f32(std::uint16_t half) {
    const std::uint32_t sign = (half & 0x8000u) << 16;
    const std::uint32_t exponent = (half >> 10) & 0x1fu;
    const std::uint32_t mantissa = half & 0x3ffu;
    if (exponent == 0) { // zero or denormal: mantissa * 2^-24, exact
        const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
        return sign ? -magnitude : magnitude;
    }
    const std::uint32_t wide = exponent == 31 ? 0xffu : exponent + 112;
    return float_from_bits(sign | wide << 23 | mantissa << 13);
}

inline float bf16_to_f32(std::uint16_t half) {
    return float_from_bits(static_cast<std::uint32_t>(half) << 16);
}

} // namespace sotto::kernels
