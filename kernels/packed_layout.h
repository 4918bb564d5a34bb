// SPDX-License-Identifier: Apache-2.0
// Packed weights: groups of 16 rows, reading order = memory order, little-endian. One row is one
// 32-bit lane: a *word* is 4 consecutive columns of a row, a byte each, and a vector of 64 bytes
// holds the word of each of the 16 rows. A block is 32 columns: words 0..7.
//
//   F32, F16, BF16   per column 16 values
//   Q8_0             [16 f16 d] [8 vectors: word s as int8]
//   Q4_0, IQ4_NL     [16 f16 d] [4 vectors: word k in the low nibbles, word k + 4 in the high ones]
//   Q4_1             [16 f16 d] [16 f16 m] [4 vectors]
//   Q5_0, Q5_1       as Q4_0, Q4_1, then 1 vector: bit s of a byte is bit 4 of that byte of word s
//   Q4_K             per 256 columns [16 f16 d] [16 f16 dmin], then 8 times
//                    [16 u8 scale] [16 u8 min] [4 vectors]
//   Q5_K             as Q4_K with 1 vector of high bits after each 4
//   Q6_K             per 256 columns [16 f16 d], then 8 times
//                    [16 i8 scale of columns 0..15] [16 i8 scale of columns 16..31] [4 vectors],
//                    then 2 vectors: bits 2s, 2s+1 of a byte of vector t are bits 4, 5 of word 4t +
//                    s
//   Q2_K             per 256 columns [16 f16 d] [16 f16 dmin], then 8 times
//                    [16 pairs of u8: scale + 16 * min of columns 0..15, of columns 16..31]
//                    [2 vectors: bits 2s, 2s+1 of a byte of vector t are that byte of word 4t + s]
//   Q3_K             per 256 columns [16 f16 d], then 8 times
//                    [16 pairs of i8: scale of columns 0..15, of columns 16..31] [2 vectors as in
//                    Q2_K], then 1 vector: bit s of a byte is bit 2 of that byte of word s
//   IQ4_XS           per 256 columns [16 f16 d], then 8 times [16 i8 scale] [4 vectors]
//
// A group is padded with zeros to a multiple of 64 bytes. Bits a weight, in the file and packed:
// Q2_K 2.625, 2.625; Q3_K 3.4375, 3.5625 (its 6-bit scales get a byte); IQ4_NL 4.5, 4.5; IQ4_XS
// 4.25, 4.3125 (likewise).
//
// Arithmetic of the types that numerics.md leaves open (its rule 3), for each block of 32 columns
// in order, d, dmin, dx as there, sums over 16 columns marked 0 and 1, every integer exact:
//   Q2_K     acc = fma(sc0*isum0 + sc1*isum1, d*dx, acc)     |integer| <= 2*15*16*3*127 < 2^24
//            acc = fma(m0*xsum0 + m1*xsum1, -(dmin*dx), acc) |integer| <= 2*15*16*127
//   Q3_K     as Q6_K: acc = fma(sc0*isum0 + sc1*isum1, d*dx, acc), codes less 4, scales less 32
//   IQ4_NL   as Q4_0: acc = fma(isum, d*dx, acc), isum over the 16 values that codes stand for
//   IQ4_XS   ds = d*sc, exact (11 + 5 bits), scales less 32; acc = fma(isum, ds*dx, acc)
#pragma once

#include "kernels/weights.h"

namespace sotto::kernels {

/// What a block of a superblock has of its own beside the codes.
enum class SubScales {
    none,
    one,       // i8 scale
    scale_min, // u8 scale, u8 min
    halves,    // two i8 scales, 8-bit: of 16 columns each
    pairs,     // the same side by side, for codes whose sums over 16 columns fit 16 bits
    pairs_min, // as pairs, 4 bits each, a min above each scale
};

constexpr int scale_bytes(SubScales scales) {
    return kGroupRows * (scales == SubScales::none ? 0 : scales == SubScales::one ? 1 : 2);
}

template <int bits, int blocks, bool with_min, SubScales sub_scales, bool codebook = false>
struct QuantLayout {
    static constexpr int kBits = bits;     // of a code
    static constexpr int kBlocks = blocks; // of 32 columns that share d (and m): 1, or 8 in K types
    static constexpr bool kHasMin = with_min;
    static constexpr SubScales kScales = sub_scales;
    /// A scale for each 16 columns.
    static constexpr bool kPairs =
        sub_scales == SubScales::pairs || sub_scales == SubScales::pairs_min;
    static constexpr bool kHalves = sub_scales == SubScales::halves || kPairs;
    static constexpr bool kCodebook = codebook; // codes stand for kIq4Values
    static constexpr bool kSigned = bits == 8 || codebook;
    static constexpr int kHeadBytes = 2 * kGroupRows * (with_min ? 2 : 1);
    static constexpr int kScaleBytes = scale_bytes(sub_scales);
    static constexpr int kCodeBytes = 64 * bits; // 16 rows x 32 columns
    static constexpr int kBlockBytes = kScaleBytes + kCodeBytes;
    static constexpr int kSuperBytes = kHeadBytes + blocks * kBlockBytes;
    /// What a code stands above the value it means, times 1: value = d * (code - kOffset) [+ m].
    static constexpr int kOffset = with_min || kSigned ? 0 : 1 << (bits - 1);
};

/// What the codes of IQ4_NL and IQ4_XS mean (kvalues_iq4nl of ggml-common.h).
constexpr std::int8_t kIq4Values[16] = {-127, -104, -83, -65, -49, -35, -22, -10,
                                        1,    13,   25,  38,  53,  69,  89,  113};

template <WeightType type>
struct PackedLayout;
template <>
struct PackedLayout<WeightType::Q8_0> : QuantLayout<8, 1, false, SubScales::none> {};
template <>
struct PackedLayout<WeightType::Q4_0> : QuantLayout<4, 1, false, SubScales::none> {};
template <>
struct PackedLayout<WeightType::Q4_1> : QuantLayout<4, 1, true, SubScales::none> {};
template <>
struct PackedLayout<WeightType::Q5_0> : QuantLayout<5, 1, false, SubScales::none> {};
template <>
struct PackedLayout<WeightType::Q5_1> : QuantLayout<5, 1, true, SubScales::none> {};
template <>
struct PackedLayout<WeightType::Q4_K> : QuantLayout<4, 8, true, SubScales::scale_min> {};
template <>
struct PackedLayout<WeightType::Q5_K> : QuantLayout<5, 8, true, SubScales::scale_min> {};
template <>
struct PackedLayout<WeightType::Q6_K> : QuantLayout<6, 8, false, SubScales::halves> {};
template <>
struct PackedLayout<WeightType::Q2_K> : QuantLayout<2, 8, true, SubScales::pairs_min> {};
template <>
struct PackedLayout<WeightType::Q3_K> : QuantLayout<3, 8, false, SubScales::pairs> {};
template <>
struct PackedLayout<WeightType::IQ4_NL> : QuantLayout<4, 1, false, SubScales::none, true> {};
template <>
struct PackedLayout<WeightType::IQ4_XS> : QuantLayout<4, 8, false, SubScales::one, true> {};

/// Calls each(type) for every quantised type, in the order of WeightType.
#define SOTTO_QUANTIZED_TYPES(each)                                                                \
    each(Q8_0) each(Q4_0) each(Q4_1) each(Q5_0) each(Q5_1) each(Q4_K) each(Q5_K) each(Q6_K)        \
        each(Q2_K) each(Q3_K) each(IQ4_NL) each(IQ4_XS)

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
