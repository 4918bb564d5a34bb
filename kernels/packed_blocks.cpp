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

/// What a vector of bits holds of a row: the same few bits of each code of some words, one word's
/// beside the other's.
struct BitVector {
    int first_word, n_words; // whose bits these are
    int shift, n_bits;       // which bits of a code
    std::uint32_t mask() const { return n_bits == 1 ? 0x01010101u : 0x03030303u; }

    std::uint32_t gather(const QuantBlock& block) const {
        std::uint32_t bits = 0;
        for (int s = 0; s < n_words; ++s)
            bits |= (block.word[first_word + s] >> shift & mask()) << (n_bits * s);
        return bits;
    }
    void spread(std::uint32_t bits, QuantBlock& block) const {
        for (int s = 0; s < n_words; ++s)
            block.word[first_word + s] |= (bits >> (n_bits * s) & mask()) << shift;
    }
};

/// A block's vectors of bits, in their order; types of 4 bits or more have nibbles before them.
template <int bits>
struct BitVectors;
template <>
struct BitVectors<2> {
    static constexpr BitVector kVectors[] = {{0, 4, 0, 2}, {4, 4, 0, 2}};
};
template <>
struct BitVectors<3> {
    static constexpr BitVector kVectors[] = {{0, 4, 0, 2}, {4, 4, 0, 2}, {0, 8, 2, 1}};
};
template <>
struct BitVectors<5> {
    static constexpr BitVector kVectors[] = {{0, 8, 4, 1}};
};
template <>
struct BitVectors<6> {
    static constexpr BitVector kVectors[] = {{0, 4, 4, 2}, {4, 4, 4, 2}};
};

template <int bits>
void write_codes(std::uint8_t* codes, int lane, const QuantBlock& block) {
    if constexpr (bits == 8)
        for (int s = 0; s < 8; ++s, codes += 64)
            store(codes, lane, block.word[s]);
    if constexpr (bits >= 4 && bits < 8)
        for (int k = 0; k < 4; ++k, codes += 64)
            store(codes, lane, (block.word[k] & kNibbles) | (block.word[k + 4] & kNibbles) << 4);
    if constexpr (bits != 4 && bits != 8)
        for (const BitVector& vector : BitVectors<bits>::kVectors) {
            store(codes, lane, vector.gather(block));
            codes += 64;
        }
}

template <int bits>
void read_codes(const std::uint8_t* codes, int lane, QuantBlock& block) {
    if constexpr (bits == 8)
        for (int s = 0; s < 8; ++s, codes += 64)
            block.word[s] = load<std::uint32_t>(codes, lane);
    if constexpr (bits >= 4 && bits < 8)
        for (int k = 0; k < 4; ++k, codes += 64) {
            const auto pair = load<std::uint32_t>(codes, lane);
            block.word[k] = pair & kNibbles;
            block.word[k + 4] = pair >> 4 & kNibbles;
        }
    if constexpr (bits < 4)
        for (std::uint32_t& word : block.word)
            word = 0;
    if constexpr (bits != 4 && bits != 8)
        for (const BitVector& vector : BitVectors<bits>::kVectors) {
            vector.spread(load<std::uint32_t>(codes, lane), block);
            codes += 64;
        }
}

/// Byte of a block's scales that holds s0 of a row, and where s1 is from there.
template <typename Layout>
int scale_at(int lane) {
    return Layout::kPairs ? 2 * lane : lane;
}
template <typename Layout>
constexpr int kToSecond = Layout::kPairs ? 1 : kGroupRows;
template <typename Layout>
constexpr bool kHasSecond = Layout::kScaleBytes == 2 * kGroupRows;

} // namespace

template <WeightType type>
void write_packed(std::uint8_t* group, std::int64_t b, int lane, const QuantBlock& block) {
    using Layout = PackedLayout<type>;
    std::uint8_t* head = group + b / Layout::kBlocks * Layout::kSuperBytes;
    store(head, lane, block.d);
    if (Layout::kHasMin)
        store(head, kGroupRows + lane, block.m);
    std::uint8_t* p = head + Layout::kHeadBytes + b % Layout::kBlocks * Layout::kBlockBytes;
    if (Layout::kScales != SubScales::none)
        p[scale_at<Layout>(lane)] = block.s0;
    if (kHasSecond<Layout>)
        p[scale_at<Layout>(lane) + kToSecond<Layout>] = block.s1;
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
    if (Layout::kScales != SubScales::none)
        block.s0 = p[scale_at<Layout>(lane)];
    if (kHasSecond<Layout>)
        block.s1 = p[scale_at<Layout>(lane) + kToSecond<Layout>];
    read_codes<Layout::kBits>(p + Layout::kScaleBytes, lane, block);
    return block;
}

template <WeightType type>
void widen(const QuantBlock& block, float* out) {
    using Layout = PackedLayout<type>;
    const float d = f16_to_f32(block.d), m = f16_to_f32(block.m);
    for (int c = 0; c < kActBlock; ++c) {
        // Every product is exact in a float (11 + 8 + 5 bits at most); only adding a min rounds.
        int scale, min;
        sub_scales<type>(block, c, scale, min);
        const auto code = static_cast<float>(code_of<type>(block, c) - Layout::kOffset);
        const float value = d * static_cast<float>(scale) * code;
        out[c] = Layout::kHasMin ? value - m * static_cast<float>(min) : value;
    }
}

#define SOTTO_INSTANTIATE(name)                                                                    \
    template void write_packed<WeightType::name>(std::uint8_t*, std::int64_t, int,                 \
                                                 const QuantBlock&);                               \
    template QuantBlock read_packed<WeightType::name>(const std::uint8_t*, std::int64_t, int);     \
    template void widen<WeightType::name>(const QuantBlock&, float*);
SOTTO_QUANTIZED_TYPES(SOTTO_INSTANTIATE)
#undef SOTTO_INSTANTIATE

} // namespace sotto::kernels
