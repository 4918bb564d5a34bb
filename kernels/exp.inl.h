// SPDX-License-Identifier: Apache-2.0
// e^x for a vector type V (numerics, rule 7). Included inside an unnamed namespace.

/// Exactly 1 at 0; below -104 zero, above 89 infinite, between with an error below 1.5 ulp; NaN stays NaN.
template <class V>
SOTTO_INLINE V exp_of(V x) {
    // min and max give their second operand where one is NaN.
    x = V::min(V::all(89.0f), V::max(V::all(-104.0f), x));
    const V shifted = V::fma(x, V::all(0x1.715476p0f), V::all(V::kRounder)); // n = round(x / ln 2)
    const V n = shifted - V::all(V::kRounder);
    // ln 2 in two parts: the first has zeros enough at its end for n times it to be exact.
    V r = V::fma(n, V::all(-0x1.62e4p-1f), x);
    r = V::fma(n, V::all(-0x1.7f7d1cp-20f), r);
    V p = V::fma(V::all(1.9875691500e-4f), r, V::all(1.3981999507e-3f));
    p = V::fma(p, r, V::all(8.3334519073e-3f));
    p = V::fma(p, r, V::all(4.1665795894e-2f));
    p = V::fma(p, r, V::all(1.6666665459e-1f));
    p = V::fma(p, r, V::all(5.0000001201e-1f));
    p = V::fma(p, r * r, r) + V::all(1.0f);
    return V::times_power_of_2(p, shifted);
}
