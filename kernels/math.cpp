// SPDX-License-Identifier: Apache-2.0
#include "kernels/math.h"

#include "kernels/simd/inline.h"

#include <bit>
#include <cmath>
#include <limits>

namespace sotto::kernels {
namespace {
#include "kernels/simd/f32x16_scalar.h"

#include "kernels/exp.inl.h"

constexpr double kLn2High = 0x1.62e42fefa39efp-1, kLn2Low = 0x1.abc9e3b39803fp-56;
constexpr double kTwoPi = 0x1.921fb54442d18p+2;

double power_of_2(int n) { // -1022..1023
    return std::bit_cast<double>(static_cast<std::uint64_t>(n + 1023) << 52);
}

template <int kCount>
double polynomial(double x, const double (&coefficients)[kCount]) { // highest power first
    double sum = coefficients[0];
    for (int i = 1; i < kCount; ++i)
        sum = std::fma(sum, x, coefficients[i]);
    return sum;
}

/// x = mantissa * 2^exponent with a mantissa in [sqrt(1/2), sqrt(2)); x positive and finite.
double split(double x, int& exponent) {
    const bool denormal = x < std::numeric_limits<double>::min();
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(denormal ? x * 0x1p54 : x);
    constexpr std::uint64_t kSqrtHalf = 0x3fe6a09e667f3bcd;
    const std::uint64_t steps = (bits - kSqrtHalf) >> 52; // wraps below sqrt(1/2)
    exponent = static_cast<int>(steps << 20 & 0xffffffffu) >> 20;
    const double mantissa = std::bit_cast<double>(bits - (steps << 52));
    exponent -= denormal ? 54 : 0;
    return mantissa;
}

/// sin and cos of an angle of at most pi/4: Taylor, the next terms are below 2^-58.
double sin_near_0(double x) {
    constexpr double k[] = {
        1 / 355687428096000.0, -1 / 1307674368000.0, 1 / 6227020800.0, -1 / 39916800.0,
        1 / 362880.0,          -1 / 5040.0,          1 / 120.0,        -1 / 6.0};
    const double square = x * x;
    return std::fma(x * square, polynomial(square, k), x);
}
double cos_near_0(double x) {
    constexpr double k[] = {
        1 / 20922789888000.0, -1 / 87178291200.0, 1 / 479001600.0, -1 / 3628800.0,
        1 / 40320.0,          -1 / 720.0,         1 / 24.0,        -0.5};
    const double square = x * x;
    return std::fma(square, polynomial(square, k), 1.0);
}

} // namespace

float exp_f32(float x) {
    return exp_of(ScalarFloats<1>::all(x)).v[0];
}

double log_f64(double x) {
    if (!(x > 0.0))
        return x == 0.0 ? -std::numeric_limits<double>::infinity()
                        : std::numeric_limits<double>::quiet_NaN();
    if (x == std::numeric_limits<double>::infinity())
        return x;
    int exponent;
    const double f = split(x, exponent) - 1.0; // exact
    // log(1 + f) = 2 atanh(s) = 2s + s * rest(s^2) and 2s = f - s * f
    const double s = f / (2.0 + f), square = s * s;
    constexpr double k[] = {2 / 25.0, 2 / 23.0, 2 / 21.0, 2 / 19.0, 2 / 17.0, 2 / 15.0,
                            2 / 13.0, 2 / 11.0, 2 / 9.0,  2 / 7.0,  2 / 5.0,  2 / 3.0};
    const double rest = square * polynomial(square, k);
    const double n = exponent;
    const double low = std::fma(-s, f - rest, n * kLn2Low);
    if (exponent == 0)
        return f + low;
    const double high = std::fma(n, kLn2High, f);
    return high + (std::fma(n, kLn2High, -(high - f)) + low);
}

void cos_sin_turns(double turns, double& cos, double& sin) {
    if (!(std::abs(turns) < 0x1p53)) { // whole turns; infinity and NaN give NaN
        sin = turns * 0.0;
        cos = sin + 1.0;
        return;
    }
    const double part = turns - static_cast<double>(static_cast<std::int64_t>(turns)); // exact
    const int quarter = static_cast<int>(part * 4.0 + (part < 0.0 ? -0.5 : 0.5));
    const double angle = (part - 0.25 * quarter) * kTwoPi;
    const double s = sin_near_0(angle), c = cos_near_0(angle);
    const bool swapped = quarter % 2 != 0;
    const int turn = quarter & 3;
    cos = swapped ? s : c;
    sin = swapped ? c : s;
    cos = turn == 1 || turn == 2 ? -cos : cos;
    sin = turn >= 2 ? -sin : sin;
}

double exp2_f64(double x) {
    if (x != x)
        return x;
    const double clamped = x < -1100.0 ? -1100.0 : x > 1100.0 ? 1100.0 : x;
    const int n = static_cast<int>(clamped + (clamped < 0.0 ? -0.5 : 0.5));
    const double r = (clamped - n) * kLn2High;
    constexpr double k[] = {1 / 6227020800.0, 1 / 479001600.0, 1 / 39916800.0, 1 / 3628800.0,
                            1 / 362880.0,     1 / 40320.0,     1 / 5040.0,     1 / 720.0,
                            1 / 120.0,        1 / 24.0,        1 / 6.0,        0.5};
    const double power = 1.0 + std::fma(r * r, polynomial(r, k), r); // e^r
    return power * power_of_2(n / 2) * power_of_2(n - n / 2);
}

} // namespace sotto::kernels
