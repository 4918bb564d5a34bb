// SPDX-License-Identifier: Apache-2.0
#include "kernels/math.h"

#include "kernels/kernels.h"
#include "kernels/simd/inline.h"

#include <bit>
#include <cmath>
#include <limits>

namespace sotto::kernels {
namespace {

#include "kernels/simd/f32x16_scalar.h"

#include "kernels/exp.inl.h"

/// a * b as the sum of two doubles, exact.
struct Split {
    double high, low;
};
Split product(double a, double b) {
    const double high = a * b;
    return {high, std::fma(a, b, -high)};
}

/// Rounds to an integer, to nearest even, for |x| < 2^51.
double round_small(double x) {
    constexpr double kRounder = 0x1.8p52;
    return (x + kRounder) - kRounder;
}

constexpr double kLn2High = 0x1.62e42fefa3800p-1, kLn2Low = 0x1.ef35793c76730p-45;

/// Coefficients from the highest power down, at x.
template <std::size_t N>
double polynomial(const double (&c)[N], double x) {
    double y = c[0];
    for (std::size_t i = 1; i < N; ++i) {
        y = std::fma(y, x, c[i]);
    }
    return y;
}

} // namespace

float exp_f32(float x) { return exp_of(ScalarFloats<1>{{x}}).v[0]; }

double log_f64(double x) {
    if (!(x > 0)) {
        return x == 0 ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
    }
    if (x == std::numeric_limits<double>::infinity()) {
        return x;
    }
    int exponent = 0;
    if (x < std::numeric_limits<double>::min()) { // denormal
        x *= 0x1p54;
        exponent = -54;
    }
    const auto bits = std::bit_cast<std::uint64_t>(x);
    exponent += static_cast<int>(bits >> 52) - 1023;
    double m = std::bit_cast<double>((bits & 0xFFFFFFFFFFFFFULL) | 0x3FF0000000000000ULL); // 1 <= m < 2
    if (m > 0x1.6a09e667f3bcdp0) {
        m *= 0.5;
        ++exponent;
    }
    // log m = 2 atanh(s), s = (m - 1) / (m + 1), |s| < 0.172: odd powers up to s^21.
    const double f = m - 1;
    const double s = f / (m + 1), z = s * s;
    constexpr double c[] = {2.0 / 21, 2.0 / 19, 2.0 / 17, 2.0 / 15, 2.0 / 13, 2.0 / 11, 2.0 / 9, 2.0 / 7, 2.0 / 5, 2.0 / 3};
    // log(1+f) = f - s*(f - z*P(z)): keeps the leading term exact.
    const double log_m = f - s * (f - z * polynomial(c, z));
    return std::fma(exponent, kLn2High, std::fma(exponent, kLn2Low, log_m));
}

double exp2_f64(double x) {
    if (x < -1075) {
        return 0;
    }
    if (x > 1024) {
        return std::numeric_limits<double>::infinity();
    }
    const double n = round_small(x);
    const Split t = product(x - n, 0x1.62e42fefa39efp-1); // times ln 2
    const double r = t.high;
    constexpr double c[] = {1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040,
                            1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 0.5};
    const double y = 1 + (r + (t.low + r * r * polynomial(c, r)));
    const int e = static_cast<int>(n), half = e / 2;
    const auto power = [](int k) { return std::bit_cast<double>(static_cast<std::uint64_t>(k + 1023) << 52); };
    return y * power(half) * power(e - half);
}

void cos_sin_turns(double turns, double& cos, double& sin) {
    // To within an eighth of a turn of a quarter turn; exact.
    const double quarters = round_small(turns * 4);
    const double rest = turns - quarters * 0.25;
    const Split a = product(rest, 0x1.921fb54442d18p2); // times 2 pi
    const double x = a.high + std::fma(rest, 0x1.1a62633145c07p-52, a.low), z = x * x;
    constexpr double sc[] = {1.0 / 355687428096000, -1.0 / 1307674368000, 1.0 / 6227020800, -1.0 / 39916800, 1.0 / 362880, -1.0 / 5040, 1.0 / 120, -1.0 / 6};
    constexpr double cc[] = {-1.0 / 6402373705728000, 1.0 / 20922789888000, -1.0 / 87178291200, 1.0 / 479001600, -1.0 / 3628800, 1.0 / 40320, -1.0 / 720, 1.0 / 24, -0.5};
    const double s = std::fma(x * z, polynomial(sc, z), x);
    const double c = std::fma(z, polynomial(cc, z), 1.0);
    const auto q = static_cast<std::int64_t>(quarters) & 3;
    cos = q == 0 ? c : q == 1 ? -s : q == 2 ? -c : s;
    sin = q == 0 ? s : q == 1 ? c : q == 2 ? -s : -c;
}

void rope_table(std::int64_t pos, int n_rot, double freq_base, double freq_scale, const float* freq_factors, float* cos, float* sin) {
    const double log2_base = log_f64(freq_base) * 0x1.71547652b82fep0; // 1 / ln 2
    for (int i = 0; i < n_rot / 2; ++i) {
        const double frequency = exp2_f64(-log2_base * (2.0 * i / n_rot)) * freq_scale / (freq_factors ? static_cast<double>(freq_factors[i]) : 1.0);
        // Turns are reduced before they are multiplied out: the whole part goes, the product's low part stays.
        const Split turns = product(static_cast<double>(pos), frequency * 0x1.45f306dc9c883p-3); // 1 / (2 pi)
        double c = 0, s = 0;
        cos_sin_turns(turns.high - round_small(turns.high) + turns.low, c, s);
        cos[i] = static_cast<float>(c);
        sin[i] = static_cast<float>(s);
    }
}

std::size_t attention_scratch_floats(int, int head_dim) {
    return 4 * kAttnChunk + static_cast<std::size_t>(head_dim) + 16; // scores of four queries, one output
}

} // namespace sotto::kernels
