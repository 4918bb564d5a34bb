// SPDX-License-Identifier: Apache-2.0
#include "kernels/math.h"

#include <cmath>

namespace sotto::kernels {
namespace {

/// An unevaluated sum of two doubles, about 106 bits: an angle of a million turns keeps its
/// fraction.
struct TwoDoubles {
    double high, low;
};

TwoDoubles times(TwoDoubles a, TwoDoubles b) {
    const double high = a.high * b.high;
    const double low = std::fma(a.high, b.high, -high) + std::fma(a.high, b.low, a.low * b.high);
    return {high + low, low - ((high + low) - high)};
}

TwoDoubles divided(TwoDoubles a, double b) {
    const double high = a.high / b;
    return {high, (std::fma(-high, b, a.high) + a.low) / b};
}

TwoDoubles power(TwoDoubles base, int n) {
    TwoDoubles result{1.0, 0.0};
    for (; n > 0; n /= 2, base = times(base, base))
        if (n % 2 != 0)
            result = times(result, base);
    return result;
}

/// base^(-2/n): a double from exp2 and log, then one step of Newton's method on its n-th power.
TwoDoubles frequency_ratio(double base, int n) {
    constexpr double kLog2e = 0x1.71547652b82fep+0;
    const double root = exp2_f64(log_f64(base) * kLog2e / -n);
    const TwoDoubles product = times(power({root, 0.0}, n), {base, 0.0}); // 1 but for the error
    const double error = (product.high - 1.0) + product.low;
    const TwoDoubles exact{root, -root * error / n};
    return times(exact, exact);
}

} // namespace

void rope_table(std::int64_t pos, int n_rot, double freq_base, double freq_scale,
                const float* freq_factors, float* cos, float* sin) {
    if (n_rot < 2)
        return;
    constexpr TwoDoubles kTurnsPerRadian{0x1.45f306dc9c883p-3, -0x1.6b01ec5417056p-57};
    constexpr double kRounder = 0x1.8p52; // x + kRounder rounds x to an integer
    const TwoDoubles ratio = frequency_ratio(freq_base, n_rot);
    TwoDoubles turns = times(kTurnsPerRadian, {static_cast<double>(pos), 0.0});
    turns = times(turns, {freq_scale, 0.0});
    for (int i = 0; i < n_rot / 2; ++i, turns = times(turns, ratio)) {
        const TwoDoubles t =
            freq_factors ? divided(turns, static_cast<double>(freq_factors[i])) : turns;
        const double part = t.high - ((t.high + kRounder) - kRounder); // less whole turns: exact
        double c, s;
        cos_sin_turns(part + t.low, c, s);
        cos[i] = static_cast<float>(c);
        sin[i] = static_cast<float>(s);
    }
}

} // namespace sotto::kernels
