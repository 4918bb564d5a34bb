// SPDX-License-Identifier: Apache-2.0
// Packed weights: groups of 16 rows, reading order = memory order, little-endian. One row is one
// 32-bit lane: a *word* is 4 consecutive columns of a row, a byte each, and a vector of 64 bytes
// holds the word of each of the 16 rows. A block is 32 columns: words 0..7.
//
//   F32, F16, BF16   per column 16 values
//   Q8_0             [16 f16 d] [8 vectors: word s as int8]
//   Q4_0             [16 f16 d] [4 vectors: word k in the low nibbles, word k + 4 in the high ones]
//   Q4_1             [16 f16 d] [16 f16 m] [4 vectors]
//   Q5_0, Q5_1       as Q4_0, Q4_1, then 1 vector: bit s of a byte is bit 4 of that byte of word s
//   Q4_K             per 256 columns [16 f16 d] [16 f16 dmin], then 8 times
//                    [16 u8 scale] [16 u8 min] [4 vectors]
//   Q5_K             as Q4_K with 1 vector of high bits after each 4
//   Q6_K             per 256 columns [16 f16 d], then 8 times
//                    [16 i8 scale of columns 0..15] [16 i8 scale of columns 16..31] [4 vectors],
//                    then 2 vectors: bits 2s, 2s+1 of a byte of vector t are bits 4, 5 of word 4t +
//                    s
//
// A group is padded with zeros to a multiple of 64 bytes.
#pragma once

#include "kernels/weights.h"

namespace sotto::kernels {

template <int bits, int blocks, bool with_min>
struct QuantLayout {
    static constexpr int kBits = bits;     // of a code
    static constexpr int kBlocks = blocks; // of 32 columns that share d (and m): 1, or 8 in K types
    static constexpr bool kHasMin = with_min;
    static constexpr bool kSubScales = blocks > 1;
    static constexpr bool kHalves = bits == 6; // a scale for each 16 columns
    static constexpr int kHeadBytes = 2 * kGroupRows * (with_min ? 2 : 1);
    static constexpr int kScaleBytes = blocks > 1 ? 2 * kGroupRows : 0;
    static constexpr int kCodeBytes = 64 * bits; // 16 rows x 32 columns
    static constexpr int kBlockBytes = kScaleBytes + kCodeBytes;
    static constexpr int kSuperBytes = kHeadBytes + blocks * kBlockBytes;
    /// What a code stands above the value it means, times 1: value = d * (code - kOffset) [+ m].
    static constexpr int kOffset = with_min || bits == 8 ? 0 : 1 << (bits - 1);
};

template <WeightType type>
struct PackedLayout;
template <>
struct PackedLayout<WeightType::Q8_0> : QuantLayout<8, 1, false> {};
template <>
struct PackedLayout<WeightType::Q4_0> : QuantLayout<4, 1, false> {};
template <>
struct PackedLayout<WeightType::Q4_1> : QuantLayout<4, 1, true> {};
template <>
struct PackedLayout<WeightType::Q5_0> : QuantLayout<5, 1, false> {};
template <>
struct PackedLayout<WeightType::Q5_1> : QuantLayout<5, 1, true> {};
template <>
struct PackedLayout<WeightType::Q4_K> : QuantLayout<4, 8, true> {};
template <>
struct PackedLayout<WeightType::Q5_K> : QuantLayout<5, 8, true> {};
template <>
struct PackedLayout<WeightType::Q6_K> : QuantLayout<6, 8, false> {};

template <WeightType type>
struct FloatLayout;
template <>
struct FloatLayout<WeightType::F32> {
    static constexpr int kBytes = 4;
};
template <>
struct FloatLayout<WeightType::F16> {
    static constexpr int kBytes = 2;
};
template <>
struct FloatLayout<WeightType::BF16> {
    static constexpr int kBytes = 2;
};

} // namespace sotto::kernels
