// SPDX-License-Identifier: Apache-2.0
// Rotary embedding and its tables.
#include "tests/kernels/plain_ops.h"

#include <doctest/doctest.h>

using namespace sotto::kernels;
using namespace sotto::kernels::test;

namespace {

struct Table {
    Table(std::int64_t pos, int n_rot, double base, double scale = 1.0,
          const float* factors = nullptr)
        : cos(static_cast<std::size_t>(n_rot / 2)), sin(cos) {
        rope_table(pos, n_rot, base, scale, factors, cos.data(), sin.data());
    }
    std::vector<float> cos, sin;
};

/// In units of the last place of the exact value.
long double error_in_ulp(float got, long double exact) {
    int exponent;
    std::frexp(exact, &exponent);
    return std::abs(got - exact) / std::ldexp(1.0L, exponent - 24);
}

} // namespace

TEST_CASE("rope: the plain loop's bits") {
    Random random(1);
    for (Isa isa : supported_isas()) {
        CAPTURE(name(isa));
        for (RopeStyle style : {RopeStyle::interleaved, RopeStyle::halves})
            for (int head_dim : {8, 16, 40, 64, 80, 96, 128, 136})
                for (int n_rot : {head_dim, head_dim / 2, head_dim - 2, 2, 0})
                    for (Row kind : kAllRows) {
                        CAPTURE(head_dim);
                        CAPTURE(n_rot);
                        const auto x = numbers(3 * head_dim, kind, random);
                        const auto cos = numbers(n_rot / 2, Row::ordinary, random);
                        const auto sin = numbers(n_rot / 2, Row::ordinary, random);
                        Placed row(x, static_cast<std::size_t>(n_rot % 7)), c(cos, 1), s(sin, 2);
                        kernel_table(isa).rope(row.begin(), 3, head_dim, n_rot, c.begin(),
                                               s.begin(), style);
                        const auto expected = plain::rope(x, 3, head_dim, n_rot, cos, sin, style);
                        CHECK(same_bits(row.values(), expected));
                        CHECK(row.guards_hold());
                    }
    }
}

TEST_CASE("rope_table: right to float rounding up to a position of a million") {
    const long double two_pi = 2 * std::acos(-1.0L);
    long double worst = 0;
    for (double base : {10000.0, 100000.0, 500000.0, 1e6, 12345.678})
        for (int n_rot : {64, 80, 128, 2})
            for (std::int64_t pos : {0, 1, 2, 17, 4095, 32768, 123457, 999983, 1000000}) {
                const double scale = pos % 2 == 0 ? 1.0 : 0.25;
                const Table table(pos, n_rot, base, scale);
                for (int i = 0; i < n_rot / 2; ++i) {
                    const long double frequency =
                        std::pow(static_cast<long double>(base), -2.0L * i / n_rot) * scale;
                    const long double angle =
                        std::fmod(static_cast<long double>(pos) * frequency, two_pi);
                    const auto at = static_cast<std::size_t>(i);
                    // What long double itself loses: 2^-63 of the whole angle.
                    const long double slack = static_cast<long double>(pos) * 0x1p-62L;
                    for (auto [got, exact] : {std::pair{table.cos[at], std::cos(angle)},
                                              std::pair{table.sin[at], std::sin(angle)}})
                        if (std::abs(exact) > slack * 0x1p30L)
                            worst = std::max(worst, error_in_ulp(got, exact));
                }
            }
    CHECK(worst <= 0.51L);
    MESSAGE("largest error of rope_table, ulp: " << static_cast<double>(worst));
}

TEST_CASE("rope_table: position 0, factors, odd and empty sizes") {
    const Table zero(0, 64, 10000.0);
    for (std::size_t i = 0; i < 32; ++i) {
        CHECK(zero.cos[i] == 1.0f);
        CHECK(zero.sin[i] == 0.0f);
    }
    std::vector<float> factors(32, 1.0f);
    factors[3] = 8.0f;
    const Table with(4321, 64, 10000.0, 1.0, factors.data()), without(4321, 64, 10000.0);
    const double angle = 4321.0 * std::pow(10000.0, -6.0 / 64.0) / 8.0;
    CHECK(with.cos[3] == doctest::Approx(std::cos(angle)).epsilon(1e-6));
    CHECK(with.sin[3] == doctest::Approx(std::sin(angle)).epsilon(1e-6));
    for (std::size_t i = 0; i < 32; ++i)
        if (i != 3)
            CHECK((with.cos[i] == without.cos[i] && with.sin[i] == without.sin[i]));
    const Table odd(5, 7, 10000.0);
    CHECK(odd.cos.size() == 3);
    CHECK(odd.cos[2] == doctest::Approx(std::cos(5 * std::pow(10000.0, -4.0 / 7))).epsilon(1e-6));
    CHECK(Table(5, 0, 10000.0).cos.empty());
}

TEST_CASE("rope_table: senseless numbers give some number or NaN, and no trap") {
    for (double base : {0.0, -1.0, 1.0, 1e300, static_cast<double>(NAN), HUGE_VAL})
        for (double scale : {1.0, 0.0, 1e300, static_cast<double>(NAN)})
            for (std::int64_t pos : {std::int64_t{1}, std::int64_t{-5}, INT64_MAX}) {
                const Table table(pos, 64, base, scale);
                for (float c : table.cos)
                    CHECK((std::isnan(c) || std::abs(c) <= 1.0f));
            }
}
