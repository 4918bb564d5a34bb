// SPDX-License-Identifier: Apache-2.0
// Traits of the products for AVX2; SOTTO_VNNI (0 or 1) is set by the including file. Included
// inside an unnamed namespace. What each member does: dot_avx512.h.

struct Simd {
    static constexpr int kLanes = 8;
    static constexpr int kParts = 2;
    static constexpr int kMaxRows = 4;
    static constexpr int kGroupsAtOnce = 2;
    template <int kRows>
    static constexpr int kGroups = kRows == 1 ? 2 : 1;
    static constexpr bool kHasMatrices = false;
    static constexpr int kMaxFloatRows = 4;
    using Bytes = __m256i;
    using Ints = __m256i;
    using Floats = __m256;

    SOTTO_INLINE Bytes load(const void* p) {
        return _mm256_loadu_si256(static_cast<const __m256i*>(p));
    }
    SOTTO_INLINE Bytes low_nibbles(Bytes v) { return _mm256_and_si256(v, _mm256_set1_epi8(15)); }
    SOTTO_INLINE Bytes high_nibbles(Bytes v) { return low_nibbles(_mm256_srli_epi16(v, 4)); }
    template <int kRight, int kMask>
    SOTTO_INLINE Bytes bits(Bytes v) {
        return _mm256_and_si256(_mm256_srli_epi16(v, kRight), _mm256_set1_epi8(kMask));
    }
    template <int kLeft, int kMask>
    SOTTO_INLINE Bytes or_bits(Bytes v, Bytes high) {
        if constexpr (kLeft > 0)
            high = _mm256_slli_epi16(high, kLeft);
        if constexpr (kLeft < 0)
            high = _mm256_srli_epi16(high, -kLeft);
        return _mm256_or_si256(v, _mm256_and_si256(high, _mm256_set1_epi8(kMask)));
    }

    SOTTO_INLINE Ints load_ints(const void* p) { return load(p); }
    SOTTO_INLINE Floats zero() { return _mm256_setzero_ps(); }
    SOTTO_INLINE Floats load_f32(const void* p) {
        return _mm256_loadu_ps(static_cast<const float*>(p));
    }
    SOTTO_INLINE Floats load_f16(const void* p) {
        return _mm256_cvtph_ps(_mm_loadu_si128(static_cast<const __m128i*>(p)));
    }
    SOTTO_INLINE Floats load_bf16(const void* p) {
        const __m128i half = _mm_loadu_si128(static_cast<const __m128i*>(p));
        return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(half), 16));
    }
    SOTTO_INLINE Floats load_u8(const void* p) {
        return _mm256_cvtepi32_ps(
            _mm256_cvtepu8_epi32(_mm_loadl_epi64(static_cast<const __m128i*>(p))));
    }
    SOTTO_INLINE Ints load_i8(const void* p) {
        return _mm256_cvtepi8_epi32(_mm_loadl_epi64(static_cast<const __m128i*>(p)));
    }
    SOTTO_INLINE Ints load_pairs_i8(const void* p) {
        return _mm256_cvtepi8_epi16(_mm_loadu_si128(static_cast<const __m128i*>(p)));
    }
    SOTTO_INLINE Ints load_pairs_u4(const void* p, Ints& upper) {
        const __m256i both = _mm256_cvtepu8_epi16(_mm_loadu_si128(static_cast<const __m128i*>(p)));
        upper = _mm256_srli_epi16(both, 4);
        return _mm256_and_si256(both, _mm256_set1_epi16(15));
    }
    SOTTO_INLINE Ints pair(Ints low, Ints high) {
        return _mm256_blend_epi16(low, _mm256_slli_epi32(high, 16), 0xaa);
    }
    SOTTO_INLINE Ints dot_pairs(Ints a, Ints b) { return _mm256_madd_epi16(a, b); }
    SOTTO_INLINE void store(float* p, Floats v) { _mm256_storeu_ps(p, v); }
    SOTTO_INLINE Floats broadcast(const float* p) { return _mm256_broadcast_ss(p); }
    SOTTO_INLINE Floats mul(Floats a, Floats b) { return _mm256_mul_ps(a, b); }
    SOTTO_INLINE Floats fma(Floats a, Floats b, Floats c) { return _mm256_fmadd_ps(a, b, c); }
    SOTTO_INLINE Floats negate(Floats a) { return _mm256_xor_ps(a, _mm256_set1_ps(-0.0f)); }
    SOTTO_INLINE Floats to_floats(Ints v) { return _mm256_cvtepi32_ps(v); }
    SOTTO_INLINE Ints add_ints(Ints a, Ints b) { return _mm256_add_epi32(a, b); }
    SOTTO_INLINE void prefetch(const void* p) {
        _mm_prefetch(static_cast<const char*>(p), _MM_HINT_T1);
    }

    SOTTO_INLINE Ints broadcast_ints(const std::int32_t* p) { return _mm256_set1_epi32(*p); }
    SOTTO_INLINE Bytes broadcast_word(const std::int8_t* p) {
        std::int32_t word;
        __builtin_memcpy(&word, p, sizeof word);
        return _mm256_set1_epi32(word);
    }

    SOTTO_INLINE Bytes look_up(const std::int8_t* table, Bytes index) {
        const __m128i values = _mm_loadu_si128(reinterpret_cast<const __m128i*>(table));
        return _mm256_shuffle_epi8(signed_codes(_mm256_broadcastsi128_si256(values)), index);
    }

#if SOTTO_VNNI
    static constexpr int kSignedOffset = 128;
    SOTTO_INLINE Bytes signed_codes(Bytes v) {
        return _mm256_xor_si256(v, _mm256_set1_epi8(-128));
    }

    template <int kBits>
    struct Sum {
        Ints acc;
        SOTTO_MEMBER void start() { acc = _mm256_setzero_si256(); }
        SOTTO_MEMBER void start(const std::int32_t* offset) { acc = broadcast_ints(offset); }
        template <int kStep>
        SOTTO_MEMBER void add(Bytes w, const std::int8_t* x) {
            acc = _mm256_dpbusd_avx_epi32(acc, w, broadcast_word(x));
        }
        SOTTO_MEMBER Ints total() const { return acc; }
    };
#else
    static constexpr int kSignedOffset = 0;
    SOTTO_INLINE Bytes signed_codes(Bytes v) {
        return v;
    }

    /// 16-bit sums are widened before they could overflow (2 * 15 * 127 * 8, 2 * 31 * 127 * 4,
    /// 2 * 63 * 127 * 2 and 2 * 128 * 127 fit); codes of 2 and 3 bits are summed over 4 words. int8
    /// codes are taken as |w| * (sign(w) x).
    template <int kBits>
    struct Sum {
        static constexpr int kRun = kBits == 4 ? 8 : kBits <= 5 ? 4 : kBits == 6 ? 2 : 1;
        Ints acc;
        __m256i run;
        SOTTO_MEMBER void start() { acc = _mm256_setzero_si256(); }
        SOTTO_MEMBER void start(const std::int32_t* offset) { acc = broadcast_ints(offset); }
        template <int kStep>
        SOTTO_MEMBER void add(Bytes w, const std::int8_t* x) {
            __m256i word = broadcast_word(x);
            if constexpr (kBits == 8) {
                word = _mm256_sign_epi8(word, w);
                w = _mm256_abs_epi8(w);
            }
            const __m256i product = _mm256_maddubs_epi16(w, word);
            run = kStep % kRun == 0 ? product : _mm256_add_epi16(run, product);
            if constexpr (kStep % kRun == kRun - 1)
                acc = _mm256_add_epi32(acc, _mm256_madd_epi16(run, _mm256_set1_epi16(1)));
        }
        SOTTO_MEMBER Ints total() const { return acc; }
    };
#endif

    template <int kRows>
    static constexpr int kFloatGroups = kRows <= 2 ? 2 : 1;
    template <int kRows>
    static constexpr int kPartsAtOnce = kRows <= 2 ? 2 : 1;

    SOTTO_INLINE __m128i halves_max(__m256i v) {
        return _mm_max_epu32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
    }
    SOTTO_INLINE std::uint32_t largest_magnitude(const float* x) {
        const __m256i mask = _mm256_set1_epi32(0x7fffffff);
        __m256i top = _mm256_and_si256(load(x), mask);
        for (int i = 8; i < 32; i += 8)
            top = _mm256_max_epu32(top, _mm256_and_si256(load(x + i), mask));
        __m128i v = halves_max(top);
        v = _mm_max_epu32(v, _mm_shuffle_epi32(v, 0x4e));
        v = _mm_max_epu32(v, _mm_shuffle_epi32(v, 0xb1));
        return static_cast<std::uint32_t>(_mm_cvtsi128_si32(v));
    }
    SOTTO_INLINE __m256i round8(const float* x, float factor) {
        const __m256 scaled = _mm256_mul_ps(_mm256_loadu_ps(x), _mm256_set1_ps(factor));
        const __m256i v = _mm256_min_epi32(_mm256_cvtps_epi32(scaled), _mm256_set1_epi32(127));
        return _mm256_max_epi32(v, _mm256_set1_epi32(-127));
    }
    SOTTO_INLINE std::int32_t round16(const float* x, float factor, std::int8_t* q) {
        const __m256i a = round8(x, factor), b = round8(x + 8, factor);
        const __m256i words = _mm256_permute4x64_epi64(_mm256_packs_epi32(a, b), 0xd8);
        _mm_storeu_si128(
            reinterpret_cast<__m128i*>(q),
            _mm_packs_epi16(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1)));
        const __m256i both = _mm256_add_epi32(a, b);
        __m128i sum =
            _mm_add_epi32(_mm256_castsi256_si128(both), _mm256_extracti128_si256(both, 1));
        sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0x4e));
        sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0xb1));
        return _mm_cvtsi128_si32(sum);
    }
};
