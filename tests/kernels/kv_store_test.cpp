// SPDX-License-Identifier: Apache-2.0
// Keys and values into tiles: layout, rounding, saturation.
#include "tests/kernels/plain_ops.h"

#include <doctest/doctest.h>

using namespace sotto::kernels;
using namespace sotto::kernels::test;

namespace {

/// Tiles filled with a pattern, so that a write to a wrong place shows.
struct Tile {
    Tile(KvType kv_type, int dim) : type(kv_type), head_dim(dim), bytes(n_bytes(), 0xab) {}
    std::size_t n_bytes() const { return kv_tile_bytes(type, head_dim); }
    float at(int index) const {
        if (type == KvType::F32)
            return reinterpret_cast<const float*>(bytes.data())[index];
        return f16_to_f32(reinterpret_cast<const std::uint16_t*>(bytes.data())[index]);
    }
    KvType type;
    int head_dim;
    std::vector<std::uint8_t> bytes;
};

float stored(KvType type, float x) {
    return type == KvType::F32 ? x : plain::as_half(x);
}

/// What one half becomes: through a V tile, 8 values at a time.
std::vector<float> through_f16(const KernelTable& table, std::vector<float> x) {
    x.resize((x.size() + 7) / 8 * 8, 0.0f);
    Tile tile(KvType::F16, 8);
    std::vector<float> y;
    for (std::size_t i = 0; i < x.size(); i += 8) {
        table.store_v(KvType::F16, x.data() + i, 8, 0, tile.bytes.data());
        for (int j = 0; j < 8; ++j)
            y.push_back(tile.at(j));
    }
    return y;
}

/// The bits of as_half(x), x >= 0 and finite.
std::uint16_t half_bits(float x) {
    const float half = plain::as_half(x);
    if (half < 0x1p-14f)
        return static_cast<std::uint16_t>(half * 0x1p24f);
    const int exponent = std::ilogb(half);
    const float mantissa = std::ldexp(half, 10 - exponent) - 1024.0f;
    return static_cast<std::uint16_t>((exponent + 15) * 1024 + static_cast<int>(mantissa));
}

} // namespace

TEST_CASE("store_k, store_v: each value in its place, nothing else touched") {
    Random random(1);
    for (Isa isa : supported_isas())
        for (KvType type : {KvType::F32, KvType::F16})
            for (int head_dim : {8, 16, 24, 64, 80, 96, 120, 128, 512})
                for (int lane : {0, 1, 7, 15}) {
                    CAPTURE(name(isa));
                    CAPTURE(head_dim);
                    const auto x = numbers(head_dim, Row::ordinary, random);
                    Tile k(type, head_dim), v(type, head_dim);
                    const Tile untouched(type, head_dim);
                    Placed row(x, 1);
                    const KernelTable& table = kernel_table(isa);
                    table.store_k(type, row.begin(), head_dim, lane, k.bytes.data());
                    table.store_v(type, row.begin(), head_dim, lane, v.bytes.data());
                    int n_wrong = 0;
                    for (int d = 0; d < head_dim; ++d)
                        for (int other = 0; other < kKvTile; ++other) {
                            const int at_k = d * kKvTile + other, at_v = other * head_dim + d;
                            const float value = stored(type, x[static_cast<std::size_t>(d)]);
                            const bool mine = other == lane;
                            n_wrong += k.at(at_k) != (mine ? value : untouched.at(at_k));
                            n_wrong += v.at(at_v) != (mine ? value : untouched.at(at_v));
                        }
                    CHECK(n_wrong == 0);
                }
}

TEST_CASE(
    "F16 stores: every half comes back, what lies between goes to the nearest, ties to even") {
    std::vector<float> x;
    for (std::uint32_t bits = 0; bits < 0x7bff; ++bits) {
        const float half = f16_to_f32(static_cast<std::uint16_t>(bits));
        const float next = f16_to_f32(static_cast<std::uint16_t>(bits + 1));
        const float middle = (half + next) / 2; // exact
        for (float value :
             {half, middle, std::nextafter(middle, 0.0f), std::nextafter(middle, 1e9f)})
            x.insert(x.end(), {value, -value});
    }
    for (float value : {65504.0f, 65519.99f, 65520.0f, 1e6f, 3e38f, kInf, 1e-8f, 2.9e-8f, 0x1p-25f,
                        0x1.000002p-25f, 1e-45f, 1e-38f})
        x.insert(x.end(), {value, -value});
    for (Isa isa : supported_isas()) {
        CAPTURE(name(isa));
        const auto got = through_f16(kernel_table(isa), x);
        int n_wrong = 0;
        for (std::size_t i = 0; i < x.size(); ++i)
            if (!same_bits({got[i]}, {plain::as_half(x[i])}) && ++n_wrong < 5)
                MESSAGE("wrong: " << x[i] << " becomes " << got[i]);
        CHECK(n_wrong == 0);
    }
}

TEST_CASE("F16 stores: saturation, NaN") {
    for (Isa isa : supported_isas()) {
        const auto y = through_f16(kernel_table(isa), {kInf, -kInf, 65536.0f, -1e30f, NAN, -NAN,
                                                       float_from_bits(0x7f800001u), -0.0f});
        CHECK(y[0] == 65504.0f);
        CHECK(y[1] == -65504.0f);
        CHECK(y[2] == 65504.0f);
        CHECK(y[3] == -65504.0f);
        for (std::size_t i = 4; i < 7; ++i)
            CHECK(std::isnan(y[i]));
        CHECK(std::signbit(y[7]));
    }
}

TEST_CASE(
    "Q8_0 stores: codes of quantize_row, F16 scales, zeros at the end, nothing else touched") {
    Random random(2);
    for (Isa isa : supported_isas())
        for (int head_dim : {8, 16, 24, 32, 40, 64, 80, 96, 120, 128, 512})
            for (int lane : {0, 1, 7, 15}) {
                CAPTURE(name(isa));
                CAPTURE(head_dim);
                const auto x = numbers(head_dim, Row::ordinary, random);
                const std::size_t n_blocks = (x.size() + 31) / 32;
                std::vector<std::int8_t> codes(32 * n_blocks);
                std::vector<float> scales(n_blocks);
                std::vector<std::int32_t> sums(2 * n_blocks);
                const KernelTable& table = kernel_table(isa);
                table.quantize_row(x.data(), head_dim, codes.data(), scales.data(), sums.data());
                Tile want_k(KvType::Q8_0, head_dim), want_v(KvType::Q8_0, head_dim);
                Tile k = want_k, v = want_v;
                const auto at = static_cast<std::size_t>(lane);
                for (std::size_t b = 0; b < n_blocks; ++b) {
                    const std::uint16_t scale = half_bits(scales[b]);
                    std::memcpy(&want_k.bytes[544 * b + 2 * at], &scale, 2);
                    std::memcpy(&want_v.bytes[2 * (16 * b + at)], &scale, 2);
                    for (std::size_t i = 0; i < 32; ++i) {
                        const auto code = static_cast<std::uint8_t>(codes[32 * b + i]);
                        want_k.bytes[544 * b + 32 + i / 4 * 64 + 4 * at + i % 4] = code;
                        want_v.bytes[32 * n_blocks * (1 + at) + 32 * b + i] = code;
                    }
                }
                Placed row(x, 1);
                table.store_k(KvType::Q8_0, row.begin(), head_dim, lane, k.bytes.data());
                table.store_v(KvType::Q8_0, row.begin(), head_dim, lane, v.bytes.data());
                CHECK(k.bytes == want_k.bytes);
                CHECK(v.bytes == want_v.bytes);
            }
}
