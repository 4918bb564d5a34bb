// SPDX-License-Identifier: Apache-2.0
// 16 floats for AVX2 with FMA and F16C. What each function does: f32x16_scalar.h. Included inside
// an unnamed namespace.

struct F32x16 {
    static constexpr int kAccumulators = 4;
    __m256 a, b; // lanes 0..7, 8..15

    SOTTO_INLINE F32x16 all(float x) { return {_mm256_set1_ps(x), _mm256_set1_ps(x)}; }
    SOTTO_INLINE F32x16 load(const float* p) {
        return {_mm256_loadu_ps(p), _mm256_loadu_ps(p + 8)};
    }
    /// All bits set in lanes first..first+7 that are below n.
    SOTTO_INLINE __m256i below(int first, int n) {
        const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
        return _mm256_cmpgt_epi32(_mm256_set1_epi32(n - first), lane);
    }
    SOTTO_INLINE F32x16 load_first(const float* p, int n) {
        return {_mm256_maskload_ps(p, below(0, n)), _mm256_maskload_ps(p + 8, below(8, n))};
    }
    SOTTO_INLINE F32x16 load8(const float* p) { return {_mm256_loadu_ps(p), _mm256_setzero_ps()}; }
    SOTTO_INLINE F32x16 load_twice(const float* p) {
        const __m256 x = _mm256_loadu_ps(p);
        const __m256 low = _mm256_unpacklo_ps(x, x), high = _mm256_unpackhi_ps(x, x);
        return {_mm256_permute2f128_ps(low, high, 0x20), _mm256_permute2f128_ps(low, high, 0x31)};
    }
    SOTTO_INLINE __m256 widen(const std::uint16_t* p) {
        return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
    }
    SOTTO_INLINE F32x16 load_f16(const std::uint16_t* p) { return {widen(p), widen(p + 8)}; }
    SOTTO_INLINE F32x16 load8_f16(const std::uint16_t* p) {
        return {widen(p), _mm256_setzero_ps()};
    }
    SOTTO_INLINE __m256 widen(const std::int8_t* p) {
        return _mm256_cvtepi32_ps(
            _mm256_cvtepi8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p))));
    }
    SOTTO_INLINE F32x16 load_i8(const std::int8_t* p) { return {widen(p), widen(p + 8)}; }
    SOTTO_INLINE void store(float* p, F32x16 x) {
        _mm256_storeu_ps(p, x.a);
        _mm256_storeu_ps(p + 8, x.b);
    }
    SOTTO_INLINE void store_first(float* p, int n, F32x16 x) {
        _mm256_maskstore_ps(p, below(0, n), x.a);
        _mm256_maskstore_ps(p + 8, below(8, n), x.b);
    }
    SOTTO_INLINE void narrow(std::uint16_t* p, __m256 x) {
        // min and max give their second operand where one is NaN
        const __m256 low = _mm256_max_ps(_mm256_set1_ps(-65504.0f), x);
        const __m256 clamped = _mm256_min_ps(_mm256_set1_ps(65504.0f), low);
        _mm_storeu_si128(reinterpret_cast<__m128i*>(p),
                         _mm256_cvtps_ph(clamped, _MM_FROUND_TO_NEAREST_INT));
    }
    SOTTO_INLINE void store_f16(std::uint16_t* p, F32x16 x) {
        narrow(p, x.a);
        narrow(p + 8, x.b);
    }

    SOTTO_MEMBER F32x16 operator+(F32x16 y) const {
        return {_mm256_add_ps(a, y.a), _mm256_add_ps(b, y.b)};
    }
    SOTTO_MEMBER F32x16 operator-(F32x16 y) const {
        return {_mm256_sub_ps(a, y.a), _mm256_sub_ps(b, y.b)};
    }
    SOTTO_MEMBER F32x16 operator*(F32x16 y) const {
        return {_mm256_mul_ps(a, y.a), _mm256_mul_ps(b, y.b)};
    }
    SOTTO_MEMBER F32x16 operator/(F32x16 y) const {
        return {_mm256_div_ps(a, y.a), _mm256_div_ps(b, y.b)};
    }
    SOTTO_INLINE F32x16 fma(F32x16 x, F32x16 y, F32x16 z) {
        return {_mm256_fmadd_ps(x.a, y.a, z.a), _mm256_fmadd_ps(x.b, y.b, z.b)};
    }
    SOTTO_INLINE F32x16 fma_sub_add(F32x16 x, F32x16 y, F32x16 z) {
        return {_mm256_fmaddsub_ps(x.a, y.a, z.a), _mm256_fmaddsub_ps(x.b, y.b, z.b)};
    }
    SOTTO_INLINE F32x16 max(F32x16 x, F32x16 y) {
        return {_mm256_max_ps(x.a, y.a), _mm256_max_ps(x.b, y.b)};
    }
    SOTTO_INLINE F32x16 min(F32x16 x, F32x16 y) {
        return {_mm256_min_ps(x.a, y.a), _mm256_min_ps(x.b, y.b)};
    }
    SOTTO_INLINE __m256 keep_half(int first, int begin, int end, __m256 x, __m256 y) {
        const __m256i mask = _mm256_andnot_si256(below(first, begin), below(first, end));
        return _mm256_blendv_ps(y, x, _mm256_castsi256_ps(mask));
    }
    SOTTO_INLINE F32x16 keep(int begin, int end, F32x16 x, F32x16 y) {
        return {keep_half(0, begin, end, x.a, y.a), keep_half(8, begin, end, x.b, y.b)};
    }
    SOTTO_INLINE F32x16 swap_pairs(F32x16 x) {
        return {_mm256_permute_ps(x.a, 0xb1), _mm256_permute_ps(x.b, 0xb1)};
    }
    template <int kLanes>
    SOTTO_INLINE F32x16 move_down(F32x16 x) {
        if constexpr (kLanes == 8)
            return {x.b, x.b};
        if constexpr (kLanes == 4)
            return {_mm256_permute2f128_ps(x.a, x.a, 1), x.b};
        return {_mm256_permute_ps(x.a, kLanes == 2 ? 0x4e : 0xb1), x.b};
    }
    SOTTO_INLINE float first(F32x16 x) { return _mm256_cvtss_f32(x.a); }
    SOTTO_INLINE std::uint32_t equal(F32x16 x, F32x16 y) {
        const int low = _mm256_movemask_ps(_mm256_cmp_ps(x.a, y.a, _CMP_EQ_OQ));
        const int high = _mm256_movemask_ps(_mm256_cmp_ps(x.b, y.b, _CMP_EQ_OQ));
        return static_cast<std::uint32_t>(low | high << 8);
    }

    static constexpr float kRounder = 0x1.8p23f;
    SOTTO_INLINE __m256 scale_half(__m256 x, __m256 shifted) {
        const __m256i bias = _mm256_set1_epi32(127);
        const __m256i n = _mm256_sub_epi32(_mm256_castps_si256(shifted),
                                           _mm256_castps_si256(_mm256_set1_ps(kRounder)));
        const __m256i half = _mm256_srai_epi32(n, 1), rest = _mm256_sub_epi32(n, half);
        const __m256i s = _mm256_slli_epi32(_mm256_add_epi32(half, bias), 23);
        const __m256i t = _mm256_slli_epi32(_mm256_add_epi32(rest, bias), 23);
        return _mm256_mul_ps(_mm256_mul_ps(x, _mm256_castsi256_ps(s)), _mm256_castsi256_ps(t));
    }
    SOTTO_INLINE F32x16 times_power_of_2(F32x16 x, F32x16 shifted) {
        return {scale_half(x.a, shifted.a), scale_half(x.b, shifted.b)};
    }
};
