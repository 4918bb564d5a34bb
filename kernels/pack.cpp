// SPDX-License-Identifier: Apache-2.0
#include "kernels/half.h"
#include "kernels/quant_block.h"
#include "kernels/weights.h"

#include <cstring>

namespace sotto::kernels {
namespace {

/// Calls work.template operator()<type>() for a quantised type.
template <typename Work>
void for_quantized(WeightType type, Work&& work) {
    switch (type) {
#define SOTTO_CASE(name)                                                                           \
    case WeightType::name:                                                                         \
        return work.template operator()<WeightType::name>();
        SOTTO_QUANTIZED_TYPES(SOTTO_CASE)
#undef SOTTO_CASE
    case WeightType::F32:
    case WeightType::F16:
    case WeightType::BF16:
        return;
    }
}

float widen_one(WeightType type, const std::uint8_t* p) {
    if (type == WeightType::F32) {
        float value;
        std::memcpy(&value, p, sizeof value);
        return value;
    }
    std::uint16_t half;
    std::memcpy(&half, p, sizeof half);
    return type == WeightType::F16 ? f16_to_f32(half) : bf16_to_f32(half);
}

/// dst[column][lane] = src[lane][column], values of `size` bytes.
template <int size>
void transpose(const std::uint8_t* src, int n_rows, std::int64_t n_cols, std::uint8_t* dst) {
    constexpr std::int64_t kTile = 64; // columns: the sources of 16 rows stay in the first cache
    for (std::int64_t c0 = 0; c0 < n_cols; c0 += kTile)
        for (int lane = 0; lane < n_rows; ++lane)
            for (std::int64_t c = c0; c < n_cols && c < c0 + kTile; ++c)
                std::memcpy(dst + (c * kGroupRows + lane) * size, src + (lane * n_cols + c) * size,
                            size);
}

} // namespace

void pack_group(WeightType type, const void* src, int n_rows, std::int64_t n_cols, void* dst) {
    const auto* from = static_cast<const std::uint8_t*>(src);
    auto* to = static_cast<std::uint8_t*>(dst);
    std::memset(to, 0, packed_group_bytes(type, n_cols));
    if (!traits(type).quantized)
        return traits(type).block_bytes == 4 ? transpose<4>(from, n_rows, n_cols, to)
                                             : transpose<2>(from, n_rows, n_cols, to);
    const std::size_t row_bytes = source_row_bytes(type, n_cols);
    for_quantized(type, [&]<WeightType kType>() {
        for (std::int64_t b = 0; b < n_cols / kActBlock; ++b)
            for (int lane = 0; lane < n_rows; ++lane)
                write_packed<kType>(to, b, lane, read_source<kType>(from + lane * row_bytes, b));
    });
}

void unpack_row(WeightType type, const void* group, int lane, std::int64_t n_cols, float* dst) {
    const auto* from = static_cast<const std::uint8_t*>(group);
    const int size = traits(type).block_bytes;
    if (!traits(type).quantized) {
        for (std::int64_t c = 0; c < n_cols; ++c)
            dst[c] = widen_one(type, from + (c * kGroupRows + lane) * size);
        return;
    }
    for_quantized(type, [&]<WeightType kType>() {
        for (std::int64_t b = 0; b < n_cols / kActBlock; ++b)
            widen<kType>(read_packed<kType>(from, b, lane), dst + b * kActBlock);
    });
}

void dequantize_row(WeightType type, const void* src, std::int64_t n_cols, float* dst) {
    const auto* from = static_cast<const std::uint8_t*>(src);
    const int size = traits(type).block_bytes;
    if (!traits(type).quantized) {
        for (std::int64_t c = 0; c < n_cols; ++c)
            dst[c] = widen_one(type, from + c * size);
        return;
    }
    for_quantized(type, [&]<WeightType kType>() {
        for (std::int64_t b = 0; b < n_cols / kActBlock; ++b)
            widen<kType>(read_source<kType>(from, b), dst + b * kActBlock);
    });
}

} // namespace sotto::kernels
