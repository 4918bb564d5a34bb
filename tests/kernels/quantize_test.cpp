// SPDX-License-Identifier: Apache-2.0
// Activations to int8 (numerics, rule 2).
#include "tests/kernels/weight_data.h"

#include <doctest/doctest.h>

using namespace sotto::kernels;
using namespace sotto::kernels::test;

namespace {

struct Row {
    Row(const KernelTable& table, const std::vector<float>& x)
        : q((x.size() + 31) / 32 * 32, 99), d(q.size() / 32), sum(q.size() / 16) {
        table.quantize_row(x.data(), static_cast<std::int64_t>(x.size()), q.data(), d.data(),
                           sum.data());
    }
    std::vector<std::int8_t> q;
    std::vector<float> d;
    std::vector<std::int32_t> sum;
};

std::vector<float> random_row(std::size_t n, float size, Random& random) {
    std::vector<float> x(n);
    for (auto& value : x)
        value = random.real() * size;
    return x;
}

} // namespace

TEST_CASE("quantize_row: levels give the scalar level's bits") {
    Random random(1);
    for (std::size_t n = 1; n <= 200; ++n) {
        for (float size : {1.0f, 1e-30f, 0x1p-100f, 0x1.1p-100f, 1e-42f, 3.4e38f, 0.0f}) {
            const auto x = random_row(n, size, random);
            const Row expected(kernel_table(Isa::scalar), x);
            for (Isa isa : vector_levels()) {
                CAPTURE(name(isa));
                const Row got(kernel_table(isa), x);
                CHECK(got.q == expected.q);
                CHECK(same_bits(got.d, expected.d));
                CHECK(got.sum == expected.sum);
            }
        }
    }
}

TEST_CASE("quantize_row: scale, rounding to even, sums, zero padding") {
    for (Isa isa : supported_isas()) {
        CAPTURE(name(isa));
        // 127 / max is 1: halves go to the even neighbour.
        std::vector<float> x(40, 0.0f);
        const float values[] = {127.0f, 0.5f,  1.5f,   2.5f,    -0.5f,
                                -1.5f,  -2.5f, 126.5f, -127.0f, 0.49f};
        const int rounded[] = {127, 0, 2, 2, 0, -2, -2, 126, -127, 0};
        std::copy(std::begin(values), std::end(values), x.begin());
        x[39] = -5.0f;
        const Row row(kernel_table(isa), x);
        for (std::size_t i = 0; i < std::size(rounded); ++i)
            CHECK(row.q[i] == rounded[i]);
        CHECK(row.d[0] == 1.0f);
        CHECK(row.sum[0] == 126);
        CHECK(row.sum[1] == 0);
        CHECK(row.q[39] == -127);
        CHECK(row.d[1] == 5.0f / 127.0f);
        CHECK(row.sum[2] == -127);
        CHECK(row.sum[3] == 0);
        for (std::size_t i = 40; i < 64; ++i)
            CHECK(row.q[i] == 0);
    }
}

TEST_CASE("quantize_row: the largest value becomes 127 whatever its size") {
    Random random(2);
    for (Isa isa : supported_isas())
        for (int i = 0; i < 2000; ++i) {
            std::vector<float> x(32, 0.0f);
            x[5] = std::ldexp(1.0f + std::fabs(random.real()),
                              static_cast<int>(random.below(226)) - 100);
            x[6] = -x[5];
            const Row row(kernel_table(isa), x);
            CHECK(row.q[5] == 127);
            CHECK(row.q[6] == -127);
        }
}

TEST_CASE("quantize_row: blocks below 2^-100 are zero, non-finite ones have a NaN scale") {
    for (Isa isa : supported_isas()) {
        CAPTURE(name(isa));
        std::vector<float> x(160, 1.0f);
        for (std::size_t i = 0; i < 32; ++i)
            x[i] = 0x1.fffffep-101f;
        x[40] = INFINITY;
        x[70] = -INFINITY;
        x[100] = NAN;
        for (std::size_t i = 128; i < 160; ++i)
            x[i] = 0x1p-100f;
        const Row row(kernel_table(isa), x);
        CHECK(row.d[0] == 0.0f);
        for (std::size_t b = 1; b < 4; ++b)
            CHECK(std::isnan(row.d[b]));
        CHECK(row.d[4] == 0x1p-100f / 127.0f);
        for (std::size_t i = 0; i < 128; ++i)
            CHECK(row.q[i] == 0);
        for (std::size_t i = 0; i < 8; ++i)
            CHECK(row.sum[i] == 0);
        CHECK(row.q[159] == 127);
        CHECK(row.sum[9] == 16 * 127);
    }
}
