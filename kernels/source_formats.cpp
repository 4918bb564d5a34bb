// SPDX-License-Identifier: Apache-2.0
// Quantised rows as GGUF files store them (layouts: ggml-common.h), taken apart into blocks of 32
// columns. Little-endian; words are 4 columns, a byte each.
#include "kernels/quant_block.h"

#include <cstring>

namespace sotto::kernels {
namespace {

constexpr std::uint32_t kNibbles = 0x0f0f0f0fu;

std::uint32_t load32(const std::uint8_t* p) {
    std::uint32_t value;
    std::memcpy(&value, p, sizeof value);
    return value;
}

std::uint16_t load16(const std::uint8_t* p) {
    std::uint16_t value;
    std::memcpy(&value, p, sizeof value);
    return value;
}

/// 16 bytes: columns 0..15 in the low nibbles, 16..31 in the high ones.
void read_nibbles(const std::uint8_t* qs, QuantBlock& block) {
    for (int k = 0; k < 4; ++k) {
        const std::uint32_t pair = load32(qs + 4 * k);
        block.word[k] = pair & kNibbles;
        block.word[k + 4] = pair >> 4 & kNibbles;
    }
}

/// Bits 0..3 of `bits`, spread to bit 4 of bytes 0..3.
std::uint32_t spread_fifth_bits(std::uint32_t bits) {
    return ((bits & 15u) * 0x00204081u & 0x01010101u) << 4;
}

/// Blocks of 32 with 4 or 5 bits: [f16 d] [f16 m, if any] [u32 bit 4 of each column, if any]
/// [nibbles]
QuantBlock read_small(const std::uint8_t* p, bool has_min, bool five_bits) {
    QuantBlock block;
    block.d = load16(p);
    p += 2;
    if (has_min) {
        block.m = load16(p);
        p += 2;
    }
    const std::uint32_t high = five_bits ? load32(p) : 0;
    read_nibbles(p + (five_bits ? 4 : 0), block);
    if (five_bits)
        for (int s = 0; s < 8; ++s)
            block.word[s] |= spread_fifth_bits(high >> (4 * s));
    return block;
}

/// Sub-block `i` (0..7) of the 12 bytes that hold eight 6-bit scales and eight 6-bit mins.
void read_k_scales(const std::uint8_t* p, int i, QuantBlock& block) {
    if (i < 4) {
        block.s0 = p[i] & 63;
        block.s1 = p[i + 4] & 63;
    } else {
        block.s0 = static_cast<std::uint8_t>((p[i + 4] & 15) | p[i - 4] >> 6 << 4);
        block.s1 = static_cast<std::uint8_t>(p[i + 4] >> 4 | p[i] >> 6 << 4);
    }
}

/// Q4_K [f16 d] [f16 dmin] [12 scales] [128 nibbles]; Q5_K has [32 high bits] before the nibbles:
/// bit i of byte c belongs to column c of sub-block i. 32 bytes of nibbles hold two sub-blocks.
QuantBlock read_k45(const std::uint8_t* p, int i, bool five_bits) {
    QuantBlock block;
    block.d = load16(p);
    block.m = load16(p + 2);
    read_k_scales(p + 4, i, block);
    const std::uint8_t* high = p + 16;
    const std::uint8_t* nibbles = p + (five_bits ? 48 : 16) + i / 2 * 32;
    for (int s = 0; s < 8; ++s) {
        block.word[s] = load32(nibbles + 4 * s) >> (i % 2 * 4) & kNibbles;
        if (five_bits)
            block.word[s] |= (load32(high + 4 * s) >> i & 0x01010101u) << 4;
    }
    return block;
}

/// Q6_K [128 low nibbles] [64 high bit pairs] [16 int8 scales] [f16 d], in two halves of 128
/// columns: 64 bytes of nibbles hold four sub-blocks (low: 0, 1; high: 2, 3), 32 bytes of pairs the
/// same four.
QuantBlock read_k6(const std::uint8_t* p, int i) {
    QuantBlock block;
    const int half = i / 4, quarter = i % 4;
    const std::uint8_t* nibbles = p + 64 * half + 32 * (quarter % 2);
    const std::uint8_t* pairs = p + 128 + 32 * half;
    for (int s = 0; s < 8; ++s)
        block.word[s] = (load32(nibbles + 4 * s) >> (quarter / 2 * 4) & kNibbles) |
                        (load32(pairs + 4 * s) >> (2 * quarter) & 0x03030303u) << 4;
    block.s0 = p[192 + 2 * i];
    block.s1 = p[192 + 2 * i + 1];
    block.d = load16(p + 208);
    return block;
}

/// Column c of sub-block i of the 2-bit types: 32 bytes hold four sub-blocks, two bits each.
void read_pairs(const std::uint8_t* qs, int i, QuantBlock& block) {
    for (int s = 0; s < 8; ++s)
        block.word[s] = load32(qs + i / 4 * 32 + 4 * s) >> (i % 4 * 2) & 0x03030303u;
}

/// Q2_K [16 bytes: scale + 16 * min of 16 columns] [64 bit pairs] [f16 d] [f16 dmin]
QuantBlock read_k2(const std::uint8_t* p, int i) {
    QuantBlock block;
    block.s0 = p[2 * i];
    block.s1 = p[2 * i + 1];
    read_pairs(p + 16, i, block);
    block.d = load16(p + 80);
    block.m = load16(p + 82);
    return block;
}

/// Scale `j` (0..15) of the 12 bytes of Q3_K: low four bits in bytes 0..7, then the two high ones;
/// what is stored is 32 more.
std::uint8_t k3_scale(const std::uint8_t* p, int j) {
    const int low = p[j % 8] >> (j / 8 * 4) & 15, high = p[8 + j % 4] >> (j / 4 * 2) & 3;
    return static_cast<std::uint8_t>((low | high << 4) - 32);
}

/// Q3_K [32 bytes: bit i of byte c is bit 2 of column c of sub-block i] [64 bit pairs] [12 scales]
/// [f16 d]
QuantBlock read_k3(const std::uint8_t* p, int i) {
    QuantBlock block;
    read_pairs(p + 32, i, block);
    for (int s = 0; s < 8; ++s)
        block.word[s] |= (load32(p + 4 * s) >> i & 0x01010101u) << 2;
    block.s0 = k3_scale(p + 96, 2 * i);
    block.s1 = k3_scale(p + 96, 2 * i + 1);
    block.d = load16(p + 108);
    return block;
}

/// IQ4_XS [f16 d] [u16: bits 4, 5 of eight scales] [4 bytes: their low bits] [8 x 16 nibbles]; what
/// is stored is 32 more than the scale.
QuantBlock read_iq4_xs(const std::uint8_t* p, int i) {
    QuantBlock block;
    block.d = load16(p);
    const int low = p[4 + i / 2] >> (i % 2 * 4) & 15, high = load16(p + 2) >> (2 * i) & 3;
    block.s0 = static_cast<std::uint8_t>((low | high << 4) - 32);
    read_nibbles(p + 8 + 16 * i, block);
    return block;
}

} // namespace

template <WeightType type>
QuantBlock read_source(const std::uint8_t* row, std::int64_t b) {
    using enum WeightType;
    const int i = static_cast<int>(b % PackedLayout<type>::kBlocks);
    const std::uint8_t* p = row + source_row_bytes(type, (b - i) * kActBlock);
    if constexpr (type == Q8_0) {
        QuantBlock block;
        block.d = load16(p);
        std::memcpy(block.word, p + 2, 32);
        return block;
    } else if constexpr (type == Q4_K || type == Q5_K) {
        return read_k45(p, i, type == Q5_K);
    } else if constexpr (type == Q6_K) {
        return read_k6(p, i);
    } else if constexpr (type == Q2_K) {
        return read_k2(p, i);
    } else if constexpr (type == Q3_K) {
        return read_k3(p, i);
    } else if constexpr (type == IQ4_XS) {
        return read_iq4_xs(p, i);
    } else {
        return read_small(p, PackedLayout<type>::kHasMin, PackedLayout<type>::kBits == 5);
    }
}

#define SOTTO_INSTANTIATE(type)                                                                    \
    template QuantBlock read_source<WeightType::type>(const std::uint8_t*, std::int64_t);
SOTTO_QUANTIZED_TYPES(SOTTO_INSTANTIATE)
#undef SOTTO_INSTANTIATE

} // namespace sotto::kernels
