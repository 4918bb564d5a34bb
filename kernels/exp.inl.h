// SPDX-License-Identifier: Apache-2.0
// e^x and the reductions over lanes, generic over a vector of floats (simd/f32x16_scalar.h).
// Included inside an unnamed namespace.

/// e^x, below 1.1 ulp: exactly 1 at 0, rounded to denormals below about -87.3, 0 below about
/// -103.97, infinity above about 88.73.
template <typename Floats>
SOTTO_INLINE Floats exp_of(Floats x) {
    constexpr float kLog2e = 0x1.715476p+0f;
    constexpr float kLn2High = 0x1.62e43p-1f, kLn2Low = -0x1.05c61p-29f; // sum: ln 2 to 2^-55
    const Floats rounder = Floats::all(Floats::kRounder);
    // In this order of operands NaN stays NaN.
    x = Floats::max(Floats::all(-104.0f), Floats::min(Floats::all(89.0f), x));
    const Floats shifted = Floats::fma(x, Floats::all(kLog2e), rounder);
    const Floats n = shifted - rounder;
    Floats r = Floats::fma(n, Floats::all(-kLn2High), x); // exact
    r = Floats::fma(n, Floats::all(-kLn2Low), r);
    // e^r = 1 + r + r^2 p(r) for |r| <= ln(2)/2; minimax, relative error 2^-28
    Floats p = Floats::all(0x1.6a23dp-10f);
    p = Floats::fma(p, r, Floats::all(0x1.123a2p-7f));
    p = Floats::fma(p, r, Floats::all(0x1.5558f2p-5f));
    p = Floats::fma(p, r, Floats::all(0x1.555492p-3f));
    p = Floats::fma(p, r, Floats::all(0x1.fffffcp-2f));
    p = Floats::fma(p * r, r, r);
    return Floats::times_power_of_2(Floats::all(1.0f) + p, shifted);
}

/// The tree of numerics, rule 5: lanes i and i + 8, then i + 4, i + 2, i + 1.
template <typename Function>
SOTTO_INLINE float over_lanes(F32x16 a, const Function& function) {
    a = function(a, F32x16::move_down<8>(a));
    a = function(a, F32x16::move_down<4>(a));
    a = function(a, F32x16::move_down<2>(a));
    return F32x16::first(function(a, F32x16::move_down<1>(a)));
}

SOTTO_INLINE float sum_of_lanes(F32x16 a) {
    return over_lanes(a, [](F32x16 x, F32x16 y) SOTTO_INLINE_LAMBDA { return x + y; });
}

SOTTO_INLINE float max_of_lanes(F32x16 a) {
    return over_lanes(a, [](F32x16 x, F32x16 y) SOTTO_INLINE_LAMBDA { return F32x16::max(x, y); });
}
