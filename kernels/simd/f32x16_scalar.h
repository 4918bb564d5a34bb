// SPDX-License-Identifier: Apache-2.0
// Vectors of kWidth floats in plain code: the specification of f32x16_<isa>.h. Included inside an
// unnamed namespace.

template <int kWidth>
struct ScalarFloats {
    static constexpr int kAccumulators = 4; // vectors that a loop keeps in registers for sums
    float v[kWidth];

    template <typename Function>
    SOTTO_INLINE ScalarFloats each(const Function& function) {
        ScalarFloats r;
        for (int i = 0; i < kWidth; ++i)
            r.v[i] = function(i);
        return r;
    }

    SOTTO_INLINE ScalarFloats all(float x) {
        return each([&](int) { return x; });
    }
    SOTTO_INLINE ScalarFloats load(const float* p) {
        return each([&](int i) { return p[i]; });
    }
    /// The first n (0..width) floats at p; zeros after them. Touches no more memory than that.
    SOTTO_INLINE ScalarFloats load_first(const float* p, int n) {
        return each([&](int i) { return i < n ? p[i] : 0.0f; });
    }
    /// Half a vector; zeros after it.
    SOTTO_INLINE ScalarFloats load8(const float* p) { return load_first(p, 8); }
    /// p[0], p[0], p[1], p[1], ... from half as many floats.
    SOTTO_INLINE ScalarFloats load_twice(const float* p) {
        return each([&](int i) { return p[i / 2]; });
    }
    SOTTO_INLINE ScalarFloats load_f16(const std::uint16_t* p) {
        return each([&](int i) { return widen(p[i]); });
    }
    SOTTO_INLINE ScalarFloats load8_f16(const std::uint16_t* p) {
        return each([&](int i) { return i < 8 ? widen(p[i]) : 0.0f; });
    }
    SOTTO_INLINE ScalarFloats load_i8(const std::int8_t* p) {
        return each([&](int i) { return static_cast<float>(p[i]); });
    }
    SOTTO_INLINE void store(float* p, ScalarFloats a) { store_first(p, kWidth, a); }
    SOTTO_INLINE void store_first(float* p, int n, ScalarFloats a) {
        for (int i = 0; i < n; ++i)
            p[i] = a.v[i];
    }
    /// Rounds to nearest even; saturates at +-65504; NaN stays NaN.
    SOTTO_INLINE void store_f16(std::uint16_t* p, ScalarFloats a) {
        for (int i = 0; i < kWidth; ++i)
            p[i] = narrow(a.v[i]);
    }

    SOTTO_MEMBER ScalarFloats operator+(ScalarFloats b) const {
        return each([&](int i) { return v[i] + b.v[i]; });
    }
    SOTTO_MEMBER ScalarFloats operator-(ScalarFloats b) const {
        return each([&](int i) { return v[i] - b.v[i]; });
    }
    SOTTO_MEMBER ScalarFloats operator*(ScalarFloats b) const {
        return each([&](int i) { return v[i] * b.v[i]; });
    }
    SOTTO_MEMBER ScalarFloats operator/(ScalarFloats b) const {
        return each([&](int i) { return v[i] / b.v[i]; });
    }
    /// a * b + c, rounded once.
    SOTTO_INLINE ScalarFloats fma(ScalarFloats a, ScalarFloats b, ScalarFloats c) {
        return each([&](int i) { return __builtin_fmaf(a.v[i], b.v[i], c.v[i]); });
    }
    /// a * b - c in even lanes, a * b + c in odd ones, rounded once.
    SOTTO_INLINE ScalarFloats fma_sub_add(ScalarFloats a, ScalarFloats b, ScalarFloats c) {
        return each(
            [&](int i) { return __builtin_fmaf(a.v[i], b.v[i], i % 2 == 0 ? -c.v[i] : c.v[i]); });
    }
    /// a > b ? a : b
    SOTTO_INLINE ScalarFloats max(ScalarFloats a, ScalarFloats b) {
        return each([&](int i) { return a.v[i] > b.v[i] ? a.v[i] : b.v[i]; });
    }
    /// a < b ? a : b
    SOTTO_INLINE ScalarFloats min(ScalarFloats a, ScalarFloats b) {
        return each([&](int i) { return a.v[i] < b.v[i] ? a.v[i] : b.v[i]; });
    }
    /// a in lanes begin..end-1, b in the others; 0 <= begin, end <= width.
    SOTTO_INLINE ScalarFloats keep(int begin, int end, ScalarFloats a, ScalarFloats b) {
        return each([&](int i) { return begin <= i && i < end ? a.v[i] : b.v[i]; });
    }
    SOTTO_INLINE ScalarFloats swap_pairs(ScalarFloats a) {
        return each([&](int i) { return a.v[i ^ 1]; });
    }
    /// Lane i + kLanes in lane i, for the first kLanes lanes; the others hold anything.
    template <int kLanes>
    SOTTO_INLINE ScalarFloats move_down(ScalarFloats a) {
        return each([&](int i) { return a.v[(i + kLanes) % kWidth]; });
    }
    SOTTO_INLINE float first(ScalarFloats a) { return a.v[0]; }
    /// Bit i: a = b in lane i.
    SOTTO_INLINE std::uint32_t equal(ScalarFloats a, ScalarFloats b) {
        std::uint32_t bits = 0;
        for (int i = 0; i < kWidth; ++i)
            bits |= static_cast<std::uint32_t>(a.v[i] == b.v[i]) << i;
        return bits;
    }

    static constexpr float kRounder = 0x1.8p23f; // x + kRounder rounds x to an integer
    /// a * 2^n, where `shifted` is kRounder + n and -252 <= n <= 254; rounded once if a is normal.
    SOTTO_INLINE ScalarFloats times_power_of_2(ScalarFloats a, ScalarFloats shifted) {
        return each([&](int i) {
            const std::uint32_t n = bits_of(shifted.v[i]) - bits_of(kRounder);
            const std::uint32_t half = (n >> 1) | (n & 0x80000000u);
            return a.v[i] * power_of_2(half) * power_of_2(n - half);
        });
    }

    SOTTO_INLINE std::uint32_t bits_of(float x) { return __builtin_bit_cast(std::uint32_t, x); }
    SOTTO_INLINE float power_of_2(std::uint32_t n) {
        return __builtin_bit_cast(float, (n + 127u) << 23);
    }
    SOTTO_INLINE float widen(std::uint16_t half) {
        const std::uint32_t sign = (half & 0x8000u) << 16, exponent = half & 0x7c00u;
        const std::uint32_t magnitude = half & 0x7fffu;
        if (exponent == 0) // a multiple of the smallest denormal
            return __builtin_bit_cast(float,
                                      sign | bits_of(static_cast<float>(magnitude) * 0x1p-24f));
        const std::uint32_t bias = exponent == 0x7c00u ? 224u << 23 : 112u << 23;
        const std::uint32_t quiet = magnitude > 0x7c00u ? 0x00400000u : 0;
        return __builtin_bit_cast(float, sign | quiet | ((magnitude << 13) + bias));
    }
    SOTTO_INLINE std::uint16_t narrow(float x) {
        const std::uint32_t sign = bits_of(x) >> 16 & 0x8000u;
        const std::uint32_t magnitude = bits_of(x) & 0x7fffffffu;
        std::uint32_t half;
        if (magnitude > 0x7f800000u) // NaN: quiet
            half = 0x7e00u | (magnitude >> 13 & 0x3ffu);
        else if (magnitude >= 0x477fe000u)
            half = 0x7bffu;
        else if (magnitude < 0x38800000u) // denormal: 0.5 has the halves' smallest step as its ulp
            half = bits_of(__builtin_bit_cast(float, magnitude) + 0.5f) - bits_of(0.5f);
        else // to nearest: half of the last place, less one bit where that would not round to even
            half = (magnitude + 0xfffu + (magnitude >> 13 & 1u) - (112u << 23)) >> 13;
        return static_cast<std::uint16_t>(sign | half);
    }
};

using F32x16 = ScalarFloats<16>;
