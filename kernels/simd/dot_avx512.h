// SPDX-License-Identifier: Apache-2.0
// Traits of the products for AVX-512; SOTTO_VNNI (0 or 1) is set by the including file. Included
// inside an unnamed namespace.

struct Simd {
    static constexpr int kLanes = 16;       // 32-bit lanes of a vector: rows
    static constexpr int kParts = 1;        // vectors that hold the 16 rows of a group
    static constexpr int kMaxRows = 12;     // activation rows of the largest quantised tile
    static constexpr int kGroupsAtOnce = 4; // groups that tiles are multiplied with in one pass,
    template <int kRows>                    // if they have few rows
    static constexpr int kGroups = kRows == 1   ? 4
                                   : kRows <= 4 ? 2
                                                : 1;
    static constexpr bool kHasMatrices = false;
    static constexpr int kMaxFloatRows = 8;
    using Bytes = __m512i;
    using Ints = __m512i;
    using Floats = __m512;

    SOTTO_INLINE Bytes load(const void* p) { return _mm512_loadu_si512(p); }
    SOTTO_INLINE Bytes low_nibbles(Bytes v) { return _mm512_and_si512(v, _mm512_set1_epi8(15)); }
    SOTTO_INLINE Bytes high_nibbles(Bytes v) { return low_nibbles(_mm512_srli_epi16(v, 4)); }
    /// Some bits of every byte.
    template <int kRight, int kMask>
    SOTTO_INLINE Bytes bits(Bytes v) {
        return _mm512_and_si512(_mm512_srli_epi16(v, kRight), _mm512_set1_epi8(kMask));
    }
    /// v | (high << kLeft & mask); a negative kLeft shifts right.
    template <int kLeft, int kMask>
    SOTTO_INLINE Bytes or_bits(Bytes v, Bytes high) {
        if constexpr (kLeft > 0)
            high = _mm512_slli_epi16(high, kLeft);
        if constexpr (kLeft < 0)
            high = _mm512_srli_epi16(high, -kLeft);
        return _mm512_ternarylogic_epi32(v, high, _mm512_set1_epi8(kMask),
                                         0xf8); // v | (high & mask)
    }

    SOTTO_INLINE Ints load_ints(const void* p) { return load(p); }
    SOTTO_INLINE Floats zero() { return _mm512_setzero_ps(); }
    SOTTO_INLINE Floats load_f32(const void* p) { return _mm512_loadu_ps(p); }
    SOTTO_INLINE Floats load_f16(const void* p) {
        return _mm512_cvtph_ps(_mm256_loadu_si256(static_cast<const __m256i*>(p)));
    }
    SOTTO_INLINE Floats load_bf16(const void* p) {
        const __m256i half = _mm256_loadu_si256(static_cast<const __m256i*>(p));
        return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(half), 16));
    }
    SOTTO_INLINE Floats load_u8(const void* p) {
        return _mm512_cvtepi32_ps(
            _mm512_cvtepu8_epi32(_mm_loadu_si128(static_cast<const __m128i*>(p))));
    }
    SOTTO_INLINE Ints load_i8(const void* p) {
        return _mm512_cvtepi8_epi32(_mm_loadu_si128(static_cast<const __m128i*>(p)));
    }
    // Lanes of two 16-bit integers: the scales of 16 columns each beside each other.
    SOTTO_INLINE Ints load_pairs_i8(const void* p) {
        return _mm512_cvtepi8_epi16(_mm256_loadu_si256(static_cast<const __m256i*>(p)));
    }
    /// 4-bit ones, and those in the upper halves of the same bytes.
    SOTTO_INLINE Ints load_pairs_u4(const void* p, Ints& upper) {
        const __m512i both =
            _mm512_cvtepu8_epi16(_mm256_loadu_si256(static_cast<const __m256i*>(p)));
        upper = _mm512_srli_epi16(both, 4);
        return _mm512_and_si512(both, _mm512_set1_epi16(15));
    }
    /// Two integers that fit 16 bits in each lane.
    SOTTO_INLINE Ints pair(Ints low, Ints high) {
        return _mm512_mask_blend_epi16(0xaaaaaaaau, low, _mm512_slli_epi32(high, 16));
    }
    /// a.low * b.low + a.high * b.high
    SOTTO_INLINE Ints dot_pairs(Ints a, Ints b) { return _mm512_madd_epi16(a, b); }
    SOTTO_INLINE void store(float* p, Floats v) { _mm512_storeu_ps(p, v); }
    SOTTO_INLINE Floats broadcast(const float* p) { return _mm512_set1_ps(*p); }
    SOTTO_INLINE Floats mul(Floats a, Floats b) { return _mm512_mul_ps(a, b); }
    SOTTO_INLINE Floats fma(Floats a, Floats b, Floats c) { return _mm512_fmadd_ps(a, b, c); }
    SOTTO_INLINE Floats negate(Floats a) {
        return _mm512_castsi512_ps(_mm512_xor_si512(_mm512_castps_si512(a),
                                                    _mm512_set1_epi32(static_cast<int>(1u << 31))));
    }
    SOTTO_INLINE Floats to_floats(Ints v) { return _mm512_cvtepi32_ps(v); }
    SOTTO_INLINE Ints add_ints(Ints a, Ints b) { return _mm512_add_epi32(a, b); }
    SOTTO_INLINE void prefetch(const void* p) {
        _mm_prefetch(static_cast<const char*>(p), _MM_HINT_T1);
    }

    SOTTO_INLINE Ints broadcast_ints(const std::int32_t* p) { return _mm512_set1_epi32(*p); }
    /// 4 activations, the same in every lane.
    SOTTO_INLINE Bytes broadcast_word(const std::int8_t* p) {
        std::int32_t word;
        __builtin_memcpy(&word, p, sizeof word);
        return _mm512_set1_epi32(word);
    }

    /// table[16] at the index that each byte is, as signed_codes().
    SOTTO_INLINE Bytes look_up(const std::int8_t* table, Bytes index) {
        const __m128i values = _mm_loadu_si128(reinterpret_cast<const __m128i*>(table));
        return _mm512_shuffle_epi8(signed_codes(_mm512_broadcast_i32x4(values)), index);
    }

#if SOTTO_VNNI
    static constexpr int kSignedOffset = 128;
    /// int8 codes as the dot product wants them: unsigned here.
    SOTTO_INLINE Bytes signed_codes(Bytes v) {
        return _mm512_xor_si512(v, _mm512_set1_epi8(-128));
    }

    /// A sum of products over successive words.
    template <int kBits>
    struct Sum {
        Ints acc;
        SOTTO_MEMBER void start() { acc = _mm512_setzero_si512(); }
        SOTTO_MEMBER void start(const std::int32_t* offset) { acc = broadcast_ints(offset); }
        template <int kStep>
        SOTTO_MEMBER void add(Bytes w, const std::int8_t* x) {
            acc = _mm512_dpbusd_epi32(acc, w, broadcast_word(x));
        }
        SOTTO_MEMBER Ints total() const { return acc; }
    };
#else
    static constexpr int kSignedOffset = 0;
    SOTTO_INLINE Bytes signed_codes(Bytes v) {
        return v;
    }
    /// Products of 8-bit pairs, added in 16 bits. Codes below 128; int8 codes as |w| * (sign(w) x).
    template <int kBits>
    SOTTO_INLINE __m512i pairs(Bytes w, Bytes x) {
        if constexpr (kBits < 8)
            return _mm512_maddubs_epi16(w, x);
        const __m512i signed_x =
            _mm512_mask_sub_epi8(x, _mm512_movepi8_mask(w), _mm512_setzero_si512(), x);
        return _mm512_maddubs_epi16(_mm512_abs_epi8(w), signed_x);
    }

    /// A sum of products over successive words: 16-bit sums are widened before they could overflow
    /// (2 * 15 * 127 * 8, 2 * 31 * 127 * 4, 2 * 63 * 127 * 2 and 2 * 128 * 127 fit); codes of 2 and
    /// 3 bits are summed over 4 words.
    template <int kBits>
    struct Sum {
        static constexpr int kRun = kBits == 4 ? 8 : kBits <= 5 ? 4 : kBits == 6 ? 2 : 1;
        Ints acc;
        __m512i run;
        SOTTO_MEMBER void start() { acc = _mm512_setzero_si512(); }
        SOTTO_MEMBER void start(const std::int32_t* offset) { acc = broadcast_ints(offset); }
        template <int kStep>
        SOTTO_MEMBER void add(Bytes w, const std::int8_t* x) {
            const __m512i product = pairs<kBits>(w, broadcast_word(x));
            run = kStep % kRun == 0 ? product : _mm512_add_epi16(run, product);
            if constexpr (kStep % kRun == kRun - 1)
                acc = _mm512_add_epi32(acc, _mm512_madd_epi16(run, _mm512_set1_epi16(1)));
        }
        SOTTO_MEMBER Ints total() const { return acc; }
    };
#endif

    /// Activation rows and parts of a group that one pass of the float products takes.
    template <int kRows>
    static constexpr int kFloatGroups = 2;
    template <int kRows>
    static constexpr int kPartsAtOnce = 1;

    // Quantisation of 32 activations (numerics, rule 2).
    SOTTO_INLINE std::uint32_t largest_magnitude(const float* x) {
        const __m512i mask = _mm512_set1_epi32(0x7fffffff);
        const __m512i a = _mm512_and_si512(load(x), mask), b = _mm512_and_si512(load(x + 16), mask);
        return _mm512_reduce_max_epu32(_mm512_max_epu32(a, b));
    }
    SOTTO_INLINE std::int32_t round16(const float* x, float factor, std::int8_t* q) {
        const __m512i limit = _mm512_set1_epi32(127);
        __m512i v = _mm512_cvtps_epi32(_mm512_mul_ps(_mm512_loadu_ps(x), _mm512_set1_ps(factor)));
        v = _mm512_max_epi32(_mm512_min_epi32(v, limit), _mm512_set1_epi32(-127));
        _mm_storeu_si128(reinterpret_cast<__m128i*>(q), _mm512_cvtepi32_epi8(v));
        return _mm512_reduce_add_epi32(v);
    }
};
