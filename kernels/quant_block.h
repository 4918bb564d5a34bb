// SPDX-License-Identifier: Apache-2.0
// One row's block of 32 columns, taken apart: what source files, packed groups and the scalar
// products have in common.
#pragma once

#include "kernels/packed_layout.h"

namespace sotto::kernels {

struct QuantBlock {
    std::uint32_t word[8]; // codes of columns 4s..4s+3, unsigned bytes (Q8_0: int8)
    std::uint16_t d = 0;   // f16 scale
    std::uint16_t m = 0;   // f16: m of Q4_1, Q5_1 (added); dmin of K types (subtracted)
    // Q4_K, Q5_K: scale and min, 6 bits. Q6_K, Q3_K: int8 scales of columns 0..15 and 16..31. Q2_K:
    // scale + 16 * min of the same. IQ4_XS: s0 is the int8 scale.
    std::uint8_t s0 = 0;
    std::uint8_t s1 = 0;
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

/// The integer that stands for a column of a block: -128..127 for Q8_0, a value of the codebook, or
/// a code from 0, whose offset is not taken off.
template <WeightType type>
inline int code_of(const QuantBlock& block, int column) {
    const std::uint32_t byte = block.word[column / 4] >> (8 * (column % 4)) & 0xffu;
    if constexpr (PackedLayout<type>::kCodebook)
        return kIq4Values[byte];
    return type == WeightType::Q8_0 ? static_cast<std::int8_t>(byte) : static_cast<int>(byte);
}

/// What d and m are multiplied by in a column of a block: value = d*scale*code - m*min. A type
/// without sub-blocks has 1 and, since its m is added, -1.
template <WeightType type>
inline void sub_scales(const QuantBlock& block, int column, int& scale, int& min) {
    using enum SubScales;
    constexpr SubScales kScales = PackedLayout<type>::kScales;
    const std::uint8_t stored = PackedLayout<type>::kHalves && column >= 16 ? block.s1 : block.s0;
    scale = kScales == none        ? 1
            : kScales == scale_min ? block.s0
            : kScales == pairs_min ? stored & 15
                                   : static_cast<std::int8_t>(stored);
    min = kScales == none        ? -1
          : kScales == scale_min ? block.s1
          : kScales == pairs_min ? stored >> 4
                                 : 0;
}

} // namespace sotto::kernels
