// SPDX-License-Identifier: Apache-2.0
#include "kernels/weights.h"

#include "kernels/packed_layout.h"

namespace sotto::kernels {
namespace {

// Block sizes and ids as in ggml.h and ggml-common.h (ggml_type, block_q4_0 and so on).
constexpr WeightTraits kTraits[kNWeightTypes] = {
    {WeightType::F32, "F32", 0, 1, 4, false},
    {WeightType::F16, "F16", 1, 1, 2, false},
    {WeightType::BF16, "BF16", 30, 1, 2, false},
    {WeightType::Q8_0, "Q8_0", 8, 32, 34, true},
    {WeightType::Q4_0, "Q4_0", 2, 32, 18, true},
    {WeightType::Q4_1, "Q4_1", 3, 32, 20, true},
    {WeightType::Q5_0, "Q5_0", 6, 32, 22, true},
    {WeightType::Q5_1, "Q5_1", 7, 32, 24, true},
    {WeightType::Q4_K, "Q4_K", 12, 256, 144, true},
    {WeightType::Q5_K, "Q5_K", 13, 256, 176, true},
    {WeightType::Q6_K, "Q6_K", 14, 256, 210, true},
    {WeightType::Q2_K, "Q2_K", 10, 256, 84, true},
    {WeightType::Q3_K, "Q3_K", 11, 256, 110, true},
    {WeightType::IQ4_NL, "IQ4_NL", 20, 32, 18, true},
    {WeightType::IQ4_XS, "IQ4_XS", 23, 256, 136, true},
};

template <WeightType type>
constexpr std::int64_t quantized_bytes(std::int64_t n_cols) {
    using Layout = PackedLayout<type>;
    return n_cols / (kActBlock * Layout::kBlocks) * Layout::kSuperBytes;
}

std::int64_t unpadded_group_bytes(WeightType type, std::int64_t n_cols) {
    switch (type) {
    case WeightType::F32:
        return n_cols * kGroupRows * 4;
    case WeightType::F16:
    case WeightType::BF16:
        return n_cols * kGroupRows * 2;
#define SOTTO_CASE(name)                                                                           \
    case WeightType::name:                                                                         \
        return quantized_bytes<WeightType::name>(n_cols);
        SOTTO_QUANTIZED_TYPES(SOTTO_CASE)
#undef SOTTO_CASE
    }
    return 0;
}

} // namespace

const WeightTraits& traits(WeightType type) {
    return kTraits[static_cast<int>(type)];
}

const WeightTraits* traits_of_ggml(std::uint32_t ggml_id) {
    for (const WeightTraits& entry : kTraits)
        if (entry.ggml_id == ggml_id)
            return &entry;
    return nullptr;
}

std::size_t source_row_bytes(WeightType type, std::int64_t n_cols) {
    const WeightTraits& entry = traits(type);
    return static_cast<std::size_t>(n_cols / entry.block_cols * entry.block_bytes);
}

std::size_t packed_group_bytes(WeightType type, std::int64_t n_cols) {
    return static_cast<std::size_t>((unpadded_group_bytes(type, n_cols) + 63) / 64 * 64);
}

} // namespace sotto::kernels
