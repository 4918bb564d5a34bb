// SPDX-License-Identifier: Apache-2.0
// The products' definition (ARCHITECTURE.md, "Numerics", rules 1 to 4), in plain code: what every
// other level must give, bit for bit.
#include "kernels/half.h"
#include "kernels/levels.h"
#include "kernels/quant_block.h"

#include <cmath>
#include <cstring>

namespace sotto::kernels {
namespace {

/// sum of (code - offset) * q over columns first..first+n-1 of a block: exact.
template <WeightType type>
int dot(const QuantBlock& w, const std::int8_t* q, int first, int n) {
    int sum = 0;
    for (int c = first; c < first + n; ++c)
        sum += (code_of<type>(w, c) - PackedLayout<type>::kOffset) * q[c];
    return sum;
}

/// One block's step of the chain of one output element; xsum: of columns 0..15 and 16..31.
template <WeightType type>
float add_block(float acc, const QuantBlock& w, const std::int8_t* q, float dx,
                const std::int32_t* xsum) {
    using Layout = PackedLayout<type>;
    const float d = f16_to_f32(w.d), m = f16_to_f32(w.m);
    int scale, min, scale1, min1;
    sub_scales<type>(w, 0, scale, min);
    sub_scales<type>(w, 16, scale1, min1);
    if constexpr (Layout::kHalves) {
        const int isum = scale * dot<type>(w, q, 0, 16) + scale1 * dot<type>(w, q, 16, 16);
        const int msum = min * xsum[0] + min1 * xsum[1];
        acc = std::fma(static_cast<float>(isum), d * dx, acc);
        return Layout::kHasMin ? std::fma(static_cast<float>(msum), -(m * dx), acc) : acc;
    }
    const int isum = dot<type>(w, q, 0, kActBlock);
    acc = std::fma(static_cast<float>(isum), d * static_cast<float>(scale) * dx, acc);
    if (Layout::kHasMin)
        acc = std::fma(-(m * static_cast<float>(min)), dx * static_cast<float>(xsum[0] + xsum[1]),
                       acc);
    return acc;
}

template <WeightType type>
float weight(const std::uint8_t* p) {
    if constexpr (type == WeightType::F32) {
        float value;
        std::memcpy(&value, p, sizeof value);
        return value;
    } else {
        std::uint16_t half;
        std::memcpy(&half, p, sizeof half);
        return type == WeightType::F16 ? f16_to_f32(half) : bf16_to_f32(half);
    }
}

/// x[n], n in 1..32, missing ones zero. |x| < 127.5 * 2^15 holds for what is rounded here.
void quantize_block(const float* x, int n, std::int8_t* q, float& d, std::int32_t* sum) {
    float largest = 0.0f;
    bool finite = true;
    for (int i = 0; i < n; ++i) {
        largest = std::fabs(x[i]) > largest ? std::fabs(x[i]) : largest;
        finite = finite && std::isfinite(x[i]);
    }
    const bool zero = !finite || largest < 0x1p-100f;
    d = !finite ? std::nanf("") : zero ? 0.0f : largest / 127.0f;
    const float inverse = zero ? 0.0f : 127.0f / largest;
    sum[0] = sum[1] = 0;
    for (int i = 0; i < kActBlock; ++i) {
        // Adding 1.5 * 2^23 leaves no room for fraction bits: rounds to the nearest even integer.
        const float rounded = i < n && !zero ? x[i] * inverse + 0x1.8p23f - 0x1.8p23f : 0.0f;
        const float clamped = rounded > 127.0f ? 127.0f : rounded < -127.0f ? -127.0f : rounded;
        q[i] = static_cast<std::int8_t>(clamped);
        sum[i / 16] += q[i];
    }
}

} // namespace

template <WeightType type>
void scalar_matmul_quantized(const void* w, std::int64_t n_cols, std::int64_t group_begin,
                             std::int64_t group_end, const Activations& x, float* y,
                             std::int64_t ldy) {
    const auto group_bytes = static_cast<std::int64_t>(packed_group_bytes(type, n_cols));
    for (std::int64_t out = group_begin * kGroupRows; out < group_end * kGroupRows; ++out) {
        const auto* group = static_cast<const std::uint8_t*>(w) + out / kGroupRows * group_bytes;
        for (std::int64_t i = 0; i < x.n_rows; ++i)
            y[i * ldy + out] = 0.0f;
        for (std::int64_t b = 0; b < n_cols / kActBlock; ++b) {
            const auto block = read_packed<type>(group, b, static_cast<int>(out % kGroupRows));
            for (std::int64_t i = 0; i < x.n_rows; ++i) {
                const std::int32_t* sum = x.sum + 2 * (i * x.d_stride + b);
                y[i * ldy + out] =
                    add_block<type>(y[i * ldy + out], block, x.q + i * x.q_stride + b * kActBlock,
                                    x.d[i * x.d_stride + b], sum);
            }
        }
    }
}

template <WeightType type>
void scalar_matmul_float(const void* w, std::int64_t n_cols, std::int64_t group_begin,
                         std::int64_t group_end, const Activations& x, float* y, std::int64_t ldy) {
    constexpr int kBytes = FloatLayout<type>::kBytes;
    const auto group_bytes = static_cast<std::int64_t>(packed_group_bytes(type, n_cols));
    for (std::int64_t out = group_begin * kGroupRows; out < group_end * kGroupRows; ++out) {
        const auto* group = static_cast<const std::uint8_t*>(w) + out / kGroupRows * group_bytes;
        for (std::int64_t i = 0; i < x.n_rows; ++i) {
            float acc = 0.0f;
            for (std::int64_t c = 0; c < n_cols; ++c) {
                const auto* p = group + (c * kGroupRows + out % kGroupRows) * kBytes;
                acc = std::fma(weight<type>(p), x.x[i * x.x_stride + c], acc);
            }
            y[i * ldy + out] = acc;
        }
    }
}

void scalar_quantize_row(const float* x, std::int64_t n, std::int8_t* q, float* d,
                         std::int32_t* sum) {
    for (std::int64_t b = 0; b * kActBlock < n; ++b) {
        const std::int64_t left = n - b * kActBlock;
        quantize_block(x + b * kActBlock, static_cast<int>(left < kActBlock ? left : kActBlock),
                       q + b * kActBlock, d[b], sum + 2 * b);
    }
}

#define SOTTO_INSTANTIATE(kind, type)                                                              \
    template void scalar_matmul_##kind<WeightType::type>(const void*, std::int64_t, std::int64_t,  \
                                                         std::int64_t, const Activations&, float*, \
                                                         std::int64_t);
SOTTO_INSTANTIATE(float, F32)
SOTTO_INSTANTIATE(float, F16)
SOTTO_INSTANTIATE(float, BF16)
#define SOTTO_INSTANTIATE_QUANTIZED(type) SOTTO_INSTANTIATE(quantized, type)
SOTTO_QUANTIZED_TYPES(SOTTO_INSTANTIATE_QUANTIZED)
#undef SOTTO_INSTANTIATE_QUANTIZED
#undef SOTTO_INSTANTIATE

} // namespace sotto::kernels
