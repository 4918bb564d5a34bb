// SPDX-License-Identifier: Apache-2.0
// One row's block of 32 columns, taken apart: what source files, packed groups and the scalar
// products have in common.
#pragma once

#include "kernels/packed_layout.h"

namespace sotto::kernels {

struct QuantBlock {
    std::uint32_t word[8]; // codes of columns 4s..4s+3, unsigned bytes (Q8_0: int8)
    std::uint16_t d = 0;   // f16 scale
    std::uint16_t m = 0;   // f16: m of Q4_1, Q5_1 (added); dmin of Q4_K, Q5_K (subtracted)
    std::uint8_t s0 = 0;   // Q4_K, Q5_K: scale, 6 bits. Q6_K: int8 scale of columns 0..15
    std::uint8_t s1 = 0;   // Q4_K, Q5_K: min, 6 bits. Q6_K: int8 scale of columns 16..31
};

/// Block `b` (32 columns) of a row as stored in a file.
template <WeightType type>
QuantBlock read_source(const std::uint8_t* row, std::int64_t b);
/// Block `b` of row `lane` of a packed group.
template <WeightType type>
QuantBlock read_packed(const std::uint8_t* group, std::int64_t b, int lane);
template <WeightType type>
void write_packed(std::uint8_t* group, std::int64_t b, int lane, const QuantBlock& block);
/// Widened exactly (each value is rounded at most once): out[32].
template <WeightType type>
void widen(const QuantBlock& block, float* out);

/// Value of code i of a block: 0..255, or -128..127 for Q8_0; the offset is not taken off.
template <WeightType type>
inline int code_of(const QuantBlock& block, int column) {
    const std::uint32_t byte = block.word[column / 4] >> (8 * (column % 4)) & 0xffu;
    return type == WeightType::Q8_0 ? static_cast<std::int8_t>(byte) : static_cast<int>(byte);
}

} // namespace sotto::kernels
