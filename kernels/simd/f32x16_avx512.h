// SPDX-License-Identifier: Apache-2.0
// 16 floats for AVX-512. What each function does: f32x16_scalar.h. Included inside an unnamed
// namespace.

struct F32x16 {
    static constexpr int kAccumulators = 24;
    __m512 v;

    SOTTO_INLINE F32x16 all(float x) { return {_mm512_set1_ps(x)}; }
    SOTTO_INLINE F32x16 load(const float* p) { return {_mm512_loadu_ps(p)}; }
    SOTTO_INLINE __mmask16 lanes_below(int n) { return static_cast<__mmask16>((1u << n) - 1u); }
    SOTTO_INLINE F32x16 load_first(const float* p, int n) {
        return {_mm512_maskz_loadu_ps(lanes_below(n), p)};
    }
    SOTTO_INLINE F32x16 load8(const float* p) {
        return {_mm512_zextps256_ps512(_mm256_loadu_ps(p))};
    }
    SOTTO_INLINE F32x16 load_twice(const float* p) {
        const __m512i index = _mm512_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7);
        return {_mm512_permutexvar_ps(index, load8(p).v)};
    }
    SOTTO_INLINE F32x16 load_f16(const std::uint16_t* p) {
        return {_mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)))};
    }
    SOTTO_INLINE F32x16 load8_f16(const std::uint16_t* p) {
        return {_mm512_zextps256_ps512(
            _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p))))};
    }
    SOTTO_INLINE F32x16 load_i8(const std::int8_t* p) {
        return {_mm512_cvtepi32_ps(
            _mm512_cvtepi8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p))))};
    }
    SOTTO_INLINE void store(float* p, F32x16 a) { _mm512_storeu_ps(p, a.v); }
    SOTTO_INLINE void store_first(float* p, int n, F32x16 a) {
        _mm512_mask_storeu_ps(p, lanes_below(n), a.v);
    }
    SOTTO_INLINE void store_f16(std::uint16_t* p, F32x16 a) {
        // min and max give their second operand where one is NaN
        const __m512 low = _mm512_max_ps(_mm512_set1_ps(-65504.0f), a.v);
        const __m512 clamped = _mm512_min_ps(_mm512_set1_ps(65504.0f), low);
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(p),
                            _mm512_cvtps_ph(clamped, _MM_FROUND_TO_NEAREST_INT));
    }

    SOTTO_MEMBER F32x16 operator+(F32x16 b) const { return {_mm512_add_ps(v, b.v)}; }
    SOTTO_MEMBER F32x16 operator-(F32x16 b) const { return {_mm512_sub_ps(v, b.v)}; }
    SOTTO_MEMBER F32x16 operator*(F32x16 b) const { return {_mm512_mul_ps(v, b.v)}; }
    SOTTO_MEMBER F32x16 operator/(F32x16 b) const { return {_mm512_div_ps(v, b.v)}; }
    SOTTO_INLINE F32x16 fma(F32x16 a, F32x16 b, F32x16 c) {
        return {_mm512_fmadd_ps(a.v, b.v, c.v)};
    }
    SOTTO_INLINE F32x16 fma_sub_add(F32x16 a, F32x16 b, F32x16 c) {
        return {_mm512_fmaddsub_ps(a.v, b.v, c.v)};
    }
    SOTTO_INLINE F32x16 max(F32x16 a, F32x16 b) { return {_mm512_max_ps(a.v, b.v)}; }
    SOTTO_INLINE F32x16 min(F32x16 a, F32x16 b) { return {_mm512_min_ps(a.v, b.v)}; }
    SOTTO_INLINE F32x16 keep(int begin, int end, F32x16 a, F32x16 b) {
        const unsigned mask = lanes_below(end) & ~static_cast<unsigned>(lanes_below(begin));
        return {_mm512_mask_blend_ps(static_cast<__mmask16>(mask), b.v, a.v)};
    }
    SOTTO_INLINE F32x16 swap_pairs(F32x16 a) { return {_mm512_permute_ps(a.v, 0xb1)}; }
    template <int kLanes>
    SOTTO_INLINE F32x16 move_down(F32x16 a) {
        if constexpr (kLanes >= 4)
            return {_mm512_shuffle_f32x4(a.v, a.v, kLanes == 8 ? 0x4e : 0xb1)};
        return {_mm512_permute_ps(a.v, kLanes == 2 ? 0x4e : 0xb1)};
    }
    SOTTO_INLINE float first(F32x16 a) { return _mm512_cvtss_f32(a.v); }
    SOTTO_INLINE std::uint32_t equal(F32x16 a, F32x16 b) {
        return _mm512_cmp_ps_mask(a.v, b.v, _CMP_EQ_OQ);
    }

    static constexpr float kRounder = 0x1.8p23f;
    SOTTO_INLINE F32x16 times_power_of_2(F32x16 a, F32x16 shifted) {
        return {_mm512_scalef_ps(a.v, _mm512_sub_ps(shifted.v, _mm512_set1_ps(kRounder)))};
    }
};
