// SPDX-License-Identifier: Apache-2.0
// Widening and packing against a second reading of the formats: one element at a time, as ggml's
// block structs and dequantize_row functions describe them.
#include "tests/kernels/weight_data.h"

#include <doctest/doctest.h>

#include <string>

using namespace sotto::kernels;
using namespace sotto::kernels::test;

namespace {

/// binary16 by its definition: (-1)^s * 2^(e-15) * 1.m, or m * 2^-24.
float half_value(const std::uint8_t* p) {
    const int bits = p[0] | p[1] << 8;
    const int exponent = bits >> 10 & 31, mantissa = bits & 1023;
    const double magnitude =
        exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
    return static_cast<float>(bits & 0x8000 ? -magnitude : magnitude);
}

float small_block_value(WeightType type, const std::uint8_t* p, int c) {
    const bool min = type == WeightType::Q4_1 || type == WeightType::Q5_1;
    const bool five = type == WeightType::Q5_0 || type == WeightType::Q5_1;
    const std::uint8_t* high = p + (min ? 4 : 2);
    const std::uint8_t* qs = high + (five ? 4 : 0);
    int code = c < 16 ? qs[c] & 15 : qs[c - 16] >> 4;
    if (five)
        code |= (high[c / 8] >> (c % 8) & 1) << 4;
    if (min)
        return half_value(p) * static_cast<float>(code) + half_value(p + 2);
    return half_value(p) * static_cast<float>(code - (five ? 16 : 8));
}

/// get_scale_min_k4 of ggml-quants.c
void k_scale_min(const std::uint8_t* scales, int j, int& scale, int& min) {
    if (j < 4) {
        scale = scales[j] & 63;
        min = scales[j + 4] & 63;
    } else {
        scale = (scales[j + 4] & 0xf) | (scales[j - 4] >> 6 << 4);
        min = scales[j + 4] >> 4 | (scales[j] >> 6 << 4);
    }
}

float k45_value(WeightType type, const std::uint8_t* p, int c) {
    int scale, min;
    k_scale_min(p + 4, c / 32, scale, min);
    const std::uint8_t* qs = p + (type == WeightType::Q5_K ? 48 : 16);
    const std::uint8_t byte = qs[c / 64 * 32 + c % 32];
    int code = c % 64 < 32 ? byte & 15 : byte >> 4;
    if (type == WeightType::Q5_K)
        code += (p[16 + c % 32] >> (c / 32) & 1) * 16;
    return half_value(p) * static_cast<float>(scale) * static_cast<float>(code) -
           half_value(p + 2) * static_cast<float>(min);
}

float k6_value(const std::uint8_t* p, int c) {
    const int half = c / 128, in_half = c % 128, l = in_half % 32, quarter = in_half / 32;
    const std::uint8_t low = p[64 * half + l + (quarter % 2 ? 32 : 0)];
    const std::uint8_t high = p[128 + 32 * half + l];
    const int code = (quarter < 2 ? low & 15 : low >> 4) | (high >> (2 * quarter) & 3) << 4;
    const auto scale = static_cast<std::int8_t>(p[192 + c / 16]);
    return half_value(p + 208) * static_cast<float>(scale) * static_cast<float>(code - 32);
}

/// Two bits of column c of a block of 256: 128 columns share 32 bytes.
int bit_pair(const std::uint8_t* qs, int c) {
    return qs[c / 128 * 32 + c % 32] >> (c % 128 / 32 * 2) & 3;
}

float k2_value(const std::uint8_t* p, int c) {
    const int scales = p[c / 16];
    return half_value(p + 80) * static_cast<float>(scales & 15) *
               static_cast<float>(bit_pair(p + 16, c)) -
           half_value(p + 82) * static_cast<float>(scales >> 4);
}

/// The shuffle of dequantize_row_q3_K: 16 scales of 6 bits in three 32-bit words.
int k3_scale(const std::uint8_t* p, int j) {
    std::uint32_t word[3], scales[4];
    std::memcpy(word, p, 12);
    const std::uint32_t low = 0x0f0f0f0fu, two = 0x03030303u;
    scales[0] = (word[0] & low) | (word[2] & two) << 4;
    scales[1] = (word[1] & low) | (word[2] >> 2 & two) << 4;
    scales[2] = (word[0] >> 4 & low) | (word[2] >> 4 & two) << 4;
    scales[3] = (word[1] >> 4 & low) | (word[2] >> 6 & two) << 4;
    return static_cast<int>(scales[j / 4] >> (j % 4 * 8) & 255) - 32;
}

float k3_value(const std::uint8_t* p, int c) {
    const int code = bit_pair(p + 32, c) - ((p[c % 32] >> (c / 32) & 1) != 0 ? 0 : 4);
    return half_value(p + 108) * static_cast<float>(k3_scale(p + 96, c / 16)) *
           static_cast<float>(code);
}

float iq4_value(WeightType type, const std::uint8_t* p, int c) {
    const int values[] = {-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};
    const int block = c / 32, high = p[2] | p[3] << 8;
    const std::uint8_t* qs = p + (type == WeightType::IQ4_XS ? 8 + 16 * block : 2);
    const int code = c % 32 < 16 ? qs[c % 32] & 15 : qs[c % 32 - 16] >> 4;
    float d = half_value(p);
    if (type == WeightType::IQ4_XS)
        d *= static_cast<float>(
            ((p[4 + block / 2] >> (block % 2 * 4) & 15) | (high >> (2 * block) & 3) << 4) - 32);
    return d * static_cast<float>(values[code]);
}

float expected_value(WeightType type, const std::uint8_t* row, std::int64_t column) {
    const WeightTraits& t = traits(type);
    const std::uint8_t* p = row + column / t.block_cols * t.block_bytes;
    const int c = static_cast<int>(column % t.block_cols);
    switch (type) {
    case WeightType::F32: {
        float value;
        std::memcpy(&value, p, 4);
        return value;
    }
    case WeightType::F16:
        return half_value(p);
    case WeightType::BF16: {
        const std::uint32_t bits = static_cast<std::uint32_t>(p[0] | p[1] << 8) << 16;
        float value;
        std::memcpy(&value, &bits, 4);
        return value;
    }
    case WeightType::Q8_0:
        return half_value(p) * static_cast<float>(static_cast<std::int8_t>(p[2 + c]));
    case WeightType::Q4_K:
    case WeightType::Q5_K:
        return k45_value(type, p, c);
    case WeightType::Q6_K:
        return k6_value(p, c);
    case WeightType::Q2_K:
        return k2_value(p, c);
    case WeightType::Q3_K:
        return k3_value(p, c);
    case WeightType::IQ4_NL:
    case WeightType::IQ4_XS:
        return iq4_value(type, p, c);
    default:
        return small_block_value(type, p, c);
    }
}

std::int64_t width(WeightType type) {
    return traits(type).quantized ? 768 : 77;
}

} // namespace

TEST_CASE("dequantize_row agrees with the formats' description") {
    Random random(1);
    for (WeightType type : all_types()) {
        CAPTURE(name(type));
        for (Blocks kind : kAllBlocks) {
            const std::int64_t n = width(type);
            const auto row = source_rows(type, 1, n, kind, random);
            std::vector<float> got(static_cast<std::size_t>(n)), expected;
            dequantize_row(type, row.data(), n, got.data());
            for (std::int64_t c = 0; c < n; ++c)
                expected.push_back(expected_value(type, row.data(), c));
            CHECK(same_bits(got, expected));
        }
    }
}

TEST_CASE("unpack_row gives back what was packed; missing rows are zero") {
    Random random(2);
    for (WeightType type : all_types()) {
        CAPTURE(name(type));
        const std::int64_t n = width(type);
        for (int n_rows = 1; n_rows <= 16; ++n_rows) {
            const PackedMatrix w(type, n_rows, n, Blocks::any_finite, random);
            std::vector<float> got(static_cast<std::size_t>(n)), expected(got.size());
            for (int lane = 0; lane < 16; ++lane) {
                CAPTURE(lane);
                std::fill(expected.begin(), expected.end(), 0.0f);
                if (lane < n_rows)
                    dequantize_row(type,
                                   w.source.data() +
                                       static_cast<std::size_t>(lane) * source_row_bytes(type, n),
                                   n, expected.data());
                unpack_row(type, w.packed.get(), lane, n, got.data());
                bool equal = true; // the sign of a missing row's zeros says nothing
                for (std::size_t c = 0; c < got.size(); ++c)
                    equal = equal && got[c] == expected[c];
                CHECK(equal);
            }
        }
    }
}

TEST_CASE("packing writes every byte of a group and none beside it") {
    Random random(3);
    for (WeightType type : all_types()) {
        CAPTURE(name(type));
        for (std::int64_t n : {256, 512}) {
            const std::size_t bytes = packed_group_bytes(type, n);
            CHECK(bytes % 64 == 0);
            const auto source = source_rows(type, 16, n, Blocks::ordinary, random);
            AlignedBytes a = aligned_bytes(bytes + 64), b = aligned_bytes(bytes + 64);
            std::memset(a.get(), 0xaa, bytes + 64);
            std::memset(b.get(), 0x55, bytes + 64);
            pack_group(type, source.data(), 16, n, a.get());
            pack_group(type, source.data(), 16, n, b.get());
            CHECK(std::memcmp(a.get(), b.get(), bytes) == 0);
            for (std::size_t i = bytes; i < bytes + 64; ++i)
                CHECK(a[i] == 0xaa);
        }
    }
}

TEST_CASE("traits: names, ids and sizes as in ggml") {
    for (WeightType type : all_types()) {
        const WeightTraits& t = traits(type);
        CHECK(t.type == type);
        CHECK(traits_of_ggml(t.ggml_id) == &t);
        CHECK(t.quantized == (t.block_cols > 1));
        CHECK(source_row_bytes(type, 512) ==
              static_cast<std::size_t>(512 / t.block_cols * t.block_bytes));
    }
    for (std::uint32_t id : {4u, 5u, 9u, 15u, 16u, 19u, 21u, 22u, 24u, 31u, 1000u, 0xffffffffu})
        CHECK(traits_of_ggml(id) == nullptr);
    CHECK(source_row_bytes(WeightType::Q4_K, 4096) == 4096 / 256 * 144);
    CHECK(source_row_bytes(WeightType::Q4_1, 576) == 360);
    CHECK(packed_group_bytes(WeightType::Q4_1, 576) == 18 * 320);
    CHECK(packed_group_bytes(WeightType::Q4_K, 256) == 64 + 8 * 288);
    CHECK(packed_group_bytes(WeightType::Q4_0, 32) == 320); // 288, padded to lines
    // 16-bit weights stay as they are, the low-bit types within a twentieth of the file's size.
    CHECK(packed_group_bytes(WeightType::BF16, 4096) == 16 * 4096 * 2);
    CHECK(packed_group_bytes(WeightType::F16, 4096) == 16 * 4096 * 2);
    for (WeightType type : all_types()) {
        CAPTURE(name(type));
        CHECK(packed_group_bytes(type, 8192) <= 16 * source_row_bytes(type, 8192) * 21 / 20);
    }
}
