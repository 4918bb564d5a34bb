// SPDX-License-Identifier: Apache-2.0
// Elementary functions against long double ones.
#include "tests/kernels/plain_ops.h"

#include <doctest/doctest.h>

using namespace sotto::kernels;
using namespace sotto::kernels::test;

namespace {

float float_of(std::uint32_t bits) {
    return float_from_bits(bits);
}

/// In units of the last place of a float of the exact value's size.
double error_in_ulp(float got, long double exact) {
    int exponent;
    std::frexp(exact, &exponent);
    const int last_place = std::max(exponent - 24, -149);
    return static_cast<double>(std::abs(got - exact) / std::ldexp(1.0L, last_place));
}

/// The definition, with the exponent left to ldexp.
float plain_exp(float x) {
    if (std::isnan(x))
        return x;
    x = std::clamp(x, -104.0f, 89.0f);
    const auto n = static_cast<float>(std::nearbyint(static_cast<double>(x) * 0x1.715476p+0));
    float r = std::fma(-n, 0x1.62e43p-1f, x);
    r = std::fma(n, 0x1.05c61p-29f, r);
    float p = 0x1.6a23dp-10f;
    for (float c : {0x1.123a2p-7f, 0x1.5558f2p-5f, 0x1.555492p-3f, 0x1.fffffcp-2f})
        p = std::fma(p, r, c);
    return std::ldexp(1.0f + std::fma(p * r, r, r), static_cast<int>(n));
}

/// Every 2^12th float or so between -110 and 95, and the floats around the ends of the range.
std::vector<float> exp_arguments() {
    std::vector<float> x = {0.0f, -0.0f, 1.0f, -1.0f, kInf, -kInf};
    for (std::uint32_t bits = 0; bits < 0x42e00000u; bits += 4093) {
        x.push_back(float_of(bits));
        x.push_back(-float_of(bits));
    }
    for (float edge :
         {-103.972f, -103.27f, -87.3365f, 88.7228f, 0.34657f, -0.34657f, 89.0f, -104.0f})
        for (int i = -50; i <= 50; ++i)
            x.push_back(edge + static_cast<float>(i) * std::abs(edge) * 0x1p-23f);
    return x;
}

} // namespace

TEST_CASE("exp_f32: within 1.1 ulp, also where results are denormal") {
    double worst = 0;
    for (float x : exp_arguments()) {
        const long double exact = std::exp(static_cast<long double>(x));
        const float got = exp_f32(x);
        if (exact >= 0x1.ffffffp127L) {
            CHECK(got == kInf);
        } else {
            worst = std::max(worst, error_in_ulp(got, exact));
        }
    }
    MESSAGE("largest error of exp_f32, ulp: " << worst);
    CHECK(worst < 1.1);
    CHECK(exp_f32(0.0f) == 1.0f);
    CHECK(exp_f32(-0.0f) == 1.0f);
    CHECK(exp_f32(-kInf) == 0.0f);
    CHECK(exp_f32(-1e30f) == 0.0f);
    CHECK(exp_f32(kInf) == kInf);
    CHECK(exp_f32(1e30f) == kInf);
    CHECK(exp_f32(-103.5f) == 0x1p-149f);
    CHECK(exp_f32(-104.0f) == 0.0f);
    CHECK(std::isnan(exp_f32(NAN)));
    CHECK(std::isnan(exp_f32(-NAN)));
}

TEST_CASE("exp_f32: the definition's bits, and the kernels' own") {
    const auto x = exp_arguments();
    for (float value : x)
        CHECK(same_bits({exp_f32(value)}, {plain_exp(value)}));
    // Seen through silu_mul: g / (1 + e^-g) with g = -x.
    for (Isa isa : supported_isas()) {
        CAPTURE(name(isa));
        auto gate = x;
        for (float& value : gate)
            value = -value;
        const std::vector<float> ones(x.size(), 1.0f);
        kernel_table(isa).silu_mul(gate.data(), ones.data(), static_cast<std::int64_t>(x.size()));
        std::vector<float> expected;
        for (float value : x)
            expected.push_back(-value / (1.0f + exp_f32(value)));
        CHECK(same_bits(gate, expected));
        // Softmax of (x, 0) for x <= 0: its first element is e^x / (1 + e^x).
        for (float value : x) {
            float pair[] = {value <= 0.0f ? value : -value, 0.0f};
            const float e = exp_f32(pair[0]);
            if (std::isinf(value))
                continue;
            kernel_table(isa).softmax(pair, 2);
            CHECK(same_bits({pair[0]}, {e / (e + 1.0f)}));
        }
    }
}

TEST_CASE("log_f64: relative error below 1e-15") {
    Random random(1);
    long double worst = 0;
    const auto check = [&](double x) {
        const long double exact = std::log(static_cast<long double>(x));
        const long double error = std::abs(log_f64(x) - exact);
        worst = std::max(worst, exact == 0 ? error : error / std::abs(exact));
    };
    for (int i = 0; i < 20000; ++i) {
        const double fraction = static_cast<double>(random.next() >> 11) * 0x1p-53;
        check(std::ldexp(0.5 + fraction, static_cast<int>(random.below(2090)) - 1070));
        check(0.7 + 0.75 * fraction);
        check(1.0 + std::ldexp(fraction - 0.5, -static_cast<int>(random.below(50))));
    }
    for (double x : {1.0, 0x1p-1074, 0x1p-1022, 0x1.fffffffffffffp1023, 0x1.6a09e667f3bccp-1,
                     0x1.6a09e667f3bcdp-1, 0x1.6a09e667f3bccp0, 0x1.6a09e667f3bcdp0})
        check(x);
    MESSAGE("largest relative error of log_f64: " << static_cast<double>(worst));
    CHECK(worst < 1e-15L);
    CHECK(log_f64(1.0) == 0.0);
    CHECK(log_f64(0.0) == -HUGE_VAL);
    CHECK(log_f64(-0.0) == -HUGE_VAL);
    CHECK(log_f64(HUGE_VAL) == HUGE_VAL);
    CHECK(std::isnan(log_f64(-1.0)));
    CHECK(std::isnan(log_f64(NAN)));
}

TEST_CASE("exp2_f64: relative error below 1e-15") {
    Random random(2);
    long double worst = 0;
    for (int i = 0; i < 20000; ++i) {
        const double x = static_cast<double>(random.next() >> 11) * 0x1p-53 * 2044.0 - 1021.0;
        for (double y : {x, x * 0x1p-10, x * 0x1p-30}) {
            const long double exact = std::exp2(static_cast<long double>(y));
            worst = std::max(worst, std::abs(exp2_f64(y) - exact) / exact);
        }
    }
    MESSAGE("largest relative error of exp2_f64: " << static_cast<double>(worst));
    CHECK(worst < 1e-15L);
    for (int n = -1074; n < 1024; ++n)
        CHECK(exp2_f64(n) == std::ldexp(1.0, n));
    CHECK(exp2_f64(1024.0) == HUGE_VAL);
    CHECK(exp2_f64(1e300) == HUGE_VAL);
    CHECK(exp2_f64(HUGE_VAL) == HUGE_VAL);
    CHECK(exp2_f64(-1e300) == 0.0);
    CHECK(exp2_f64(-HUGE_VAL) == 0.0);
    CHECK(std::isnan(exp2_f64(NAN)));
}

TEST_CASE("cos_sin_turns: absolute error below 1e-15") {
    const long double two_pi = 2 * std::acos(-1.0L);
    Random random(3);
    long double worst = 0;
    for (int i = 0; i < 20000; ++i) {
        const double part = static_cast<double>(random.next() >> 11) * 0x1p-53 - 0.5;
        for (double turns : {part, part * 4, part * 1e6, part * 0x1p-20}) {
            double c, s;
            cos_sin_turns(turns, c, s);
            const long double angle = (turns - std::nearbyint(turns)) * two_pi;
            worst = std::max({worst, std::abs(c - std::cos(angle)), std::abs(s - std::sin(angle))});
        }
    }
    MESSAGE("largest error of cos_sin_turns: " << static_cast<double>(worst));
    CHECK(worst < 1e-15L);
    const double axes[][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    for (int quarter = -9; quarter <= 9; ++quarter)
        for (double whole : {0.0, 1000.0, -0x1p40}) {
            double c, s;
            cos_sin_turns(whole + 0.25 * quarter, c, s);
            CHECK(c == axes[quarter & 3][0]);
            CHECK(s == axes[quarter & 3][1]);
        }
    for (double turns : {0x1p53, -0x1p60, 1e300}) {
        double c, s;
        cos_sin_turns(turns, c, s);
        CHECK(c == 1.0);
        CHECK(s == 0.0);
    }
    for (double turns : {HUGE_VAL, -HUGE_VAL, static_cast<double>(NAN)}) {
        double c, s;
        cos_sin_turns(turns, c, s);
        CHECK((std::isnan(c) && std::isnan(s)));
    }
}
