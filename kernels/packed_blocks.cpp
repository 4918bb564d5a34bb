// SPDX-License-Identifier: Apache-2.0
// One row's block in and out of a packed group; the layout is described in packed_layout.h.
#include "kernels/half.h"
#include "kernels/quant_block.h"

namespace sotto::kernels {
namespace {

constexpr std::uint32_t kNibbles = 0x0f0f0f0fu;

template <typename T>
T load(const std::uint8_t* p, int index) {
    T value;
    std::memcpy(&value, p + index * static_cast<int>(sizeof value), sizeof value);
    return value;
}

template <typename T>
void store(std::uint8_t* p, int index, T value) {
    std::memcpy(p + index * static_cast<int>(sizeof value), &value, sizeof value);
}

/// Bits 4 and up of all 8 words, as the vectors after the nibbles hold them: bits_each is 1 or 2.
std::uint32_t gather_high(const QuantBlock& block, int first, int count, int bits_each) {
    const std::uint32_t mask = bits_each == 1 ? 0x01010101u : 0x03030303u;
    std::uint32_t high = 0;
    for (int s = 0; s < count; ++s)
        high |= (block.word[first + s] >> 4 & mask) << (bits_each * s);
    return high;
}

void spread_high(QuantBlock& block, int first, int count, int bits_each, std::uint32_t high) {
    const std::uint32_t mask = bits_each == 1 ? 0x01010101u : 0x03030303u;
    for (int s = 0; s < count; ++s)
        block.word[first + s] |= (high >> (bits_each * s) & mask) << 4;
}

template <int bits>
void write_codes(std::uint8_t* codes, int lane, const QuantBlock& block) {
    if constexpr (bits == 8) {
        for (int s = 0; s < 8; ++s)
            store(codes + 64 * s, lane, block.word[s]);
        return;
    }
    for (int k = 0; k < 4; ++k)
        store(codes + 64 * k, lane,
              (block.word[k] & kNibbles) | (block.word[k + 4] & kNibbles) << 4);
    if constexpr (bits == 5)
        store(codes + 256, lane, gather_high(block, 0, 8, 1));
    if constexpr (bits == 6) {
        store(codes + 256, lane, gather_high(block, 0, 4, 2));
        store(codes + 320, lane, gather_high(block, 4, 4, 2));
    }
}

template <int bits>
void read_codes(const std::uint8_t* codes, int lane, QuantBlock& block) {
    if constexpr (bits == 8) {
        for (int s = 0; s < 8; ++s)
            block.word[s] = load<std::uint32_t>(codes + 64 * s, lane);
        return;
    }
    for (int k = 0; k < 4; ++k) {
        const auto pair = load<std::uint32_t>(codes + 64 * k, lane);
        block.word[k] = pair & kNibbles;
        block.word[k + 4] = pair >> 4 & kNibbles;
    }
    if constexpr (bits == 5)
        spread_high(block, 0, 8, 1, load<std::uint32_t>(codes + 256, lane));
    if constexpr (bits == 6) {
        spread_high(block, 0, 4, 2, load<std::uint32_t>(codes + 256, lane));
        spread_high(block, 4, 4, 2, load<std::uint32_t>(codes + 320, lane));
    }
}

} // namespace

template <WeightType type>
void write_packed(std::uint8_t* group, std::int64_t b, int lane, const QuantBlock& block) {
    using Layout = PackedLayout<type>;
    std::uint8_t* head = group + b / Layout::kBlocks * Layout::kSuperBytes;
    store(head, lane, block.d);
    if (Layout::kHasMin)
        store(head, kGroupRows + lane, block.m);
    std::uint8_t* p = head + Layout::kHeadBytes + b % Layout::kBlocks * Layout::kBlockBytes;
    if (Layout::kSubScales) {
        p[lane] = block.s0;
        p[kGroupRows + lane] = block.s1;
    }
    write_codes<Layout::kBits>(p + Layout::kScaleBytes, lane, block);
}

template <WeightType type>
QuantBlock read_packed(const std::uint8_t* group, std::int64_t b, int lane) {
    using Layout = PackedLayout<type>;
    QuantBlock block;
    const std::uint8_t* head = group + b / Layout::kBlocks * Layout::kSuperBytes;
    block.d = load<std::uint16_t>(head, lane);
    if (Layout::kHasMin)
        block.m = load<std::uint16_t>(head, kGroupRows + lane);
    const std::uint8_t* p = head + Layout::kHeadBytes + b % Layout::kBlocks * Layout::kBlockBytes;
    if (Layout::kSubScales) {
        block.s0 = p[lane];
        block.s1 = p[kGroupRows + lane];
    }
    read_codes<Layout::kBits>(p + Layout::kScaleBytes, lane, block);
    return block;
}

template <WeightType type>
void widen(const QuantBlock& block, float* out) {
    using Layout = PackedLayout<type>;
    const float d = f16_to_f32(block.d), m = f16_to_f32(block.m);
    for (int c = 0; c < kActBlock; ++c) {
        // Every product is exact in a float (11 + 8 + 5 bits at most); only adding a min rounds.
        const auto code = static_cast<float>(code_of<type>(block, c) - Layout::kOffset);
        if constexpr (Layout::kHalves) {
            const auto scale = static_cast<std::int8_t>(c < 16 ? block.s0 : block.s1);
            out[c] = d * static_cast<float>(scale) * code;
        } else if constexpr (Layout::kSubScales) {
            out[c] = d * static_cast<float>(block.s0) * code - m * static_cast<float>(block.s1);
        } else {
            out[c] = Layout::kHasMin ? d * code + m : d * code;
        }
    }
}

#define SOTTO_INSTANTIATE(type)                                                                    \
    template void write_packed<type>(std::uint8_t*, std::int64_t, int, const QuantBlock&);         \
    template QuantBlock read_packed<type>(const std::uint8_t*, std::int64_t, int);                 \
    template void widen<type>(const QuantBlock&, float*);

SOTTO_INSTANTIATE(WeightType::Q8_0)
SOTTO_INSTANTIATE(WeightType::Q4_0)
SOTTO_INSTANTIATE(WeightType::Q4_1)
SOTTO_INSTANTIATE(WeightType::Q5_0)
SOTTO_INSTANTIATE(WeightType::Q5_1)
SOTTO_INSTANTIATE(WeightType::Q4_K)
SOTTO_INSTANTIATE(WeightType::Q5_K)
SOTTO_INSTANTIATE(WeightType::Q6_K)
#undef SOTTO_INSTANTIATE

} // namespace sotto::kernels
