// SPDX-License-Identifier: Apache-2.0
// Traits of the products for NEON; SOTTO_DOTPROD and SOTTO_I8MM (0 or 1) are set by the including
// file. Included
// inside an unnamed namespace. What each member does: dot_avx512.h.

struct Simd {
    static constexpr int kLanes = 4;
    static constexpr int kParts = 4;
    static constexpr int kMaxRows = SOTTO_I8MM ? 12 : 4;
    static constexpr bool kHasMatrices = SOTTO_I8MM;
    static constexpr int kGroupsAtOnce = 1;
    template <int kRows>
    static constexpr int kGroups = 1;
    static constexpr int kMaxFloatRows = 4;
    using Bytes = uint8x16_t;
    using Ints = int32x4_t;
    using Floats = float32x4_t;

    SOTTO_INLINE Bytes load(const void* p) { return vld1q_u8(static_cast<const std::uint8_t*>(p)); }
    SOTTO_INLINE Bytes low_nibbles(Bytes v) { return vandq_u8(v, vdupq_n_u8(15)); }
    SOTTO_INLINE Bytes high_nibbles(Bytes v) { return vshrq_n_u8(v, 4); }
    template <int kRight, int kMask>
    SOTTO_INLINE Bytes bits(Bytes v) {
        if constexpr (kRight > 0)
            v = vshrq_n_u8(v, kRight);
        return vandq_u8(v, vdupq_n_u8(kMask));
    }
    template <int kLeft, int kMask>
    SOTTO_INLINE Bytes or_bits(Bytes v, Bytes high) {
        if constexpr (kLeft > 0)
            high = vshlq_n_u8(high, kLeft);
        if constexpr (kLeft < 0)
            high = vshrq_n_u8(high, -kLeft);
        return vorrq_u8(v, vandq_u8(high, vdupq_n_u8(kMask)));
    }

    SOTTO_INLINE Ints load_ints(const void* p) {
        return vld1q_s32(static_cast<const std::int32_t*>(p));
    }
    SOTTO_INLINE Floats zero() { return vdupq_n_f32(0.0f); }
    SOTTO_INLINE Floats load_f32(const void* p) { return vld1q_f32(static_cast<const float*>(p)); }
    SOTTO_INLINE uint16x4_t load_halves(const void* p) {
        return vld1_u16(static_cast<const std::uint16_t*>(p));
    }
    SOTTO_INLINE Floats load_f16(const void* p) {
        return vcvt_f32_f16(vreinterpret_f16_u16(load_halves(p)));
    }
    SOTTO_INLINE Floats load_bf16(const void* p) {
        return vreinterpretq_f32_u32(vshll_n_u16(load_halves(p), 16));
    }
    SOTTO_INLINE uint8x8_t load_four(const void* p) {
        std::uint32_t word;
        __builtin_memcpy(&word, p, sizeof word);
        return vreinterpret_u8_u32(vdup_n_u32(word));
    }
    SOTTO_INLINE Floats load_u8(const void* p) {
        return vcvtq_f32_u32(vmovl_u16(vget_low_u16(vmovl_u8(load_four(p)))));
    }
    SOTTO_INLINE Ints load_i8(const void* p) {
        return vmovl_s16(vget_low_s16(vmovl_s8(vreinterpret_s8_u8(load_four(p)))));
    }
    SOTTO_INLINE Ints load_pairs_i8(const void* p) {
        return vreinterpretq_s32_s16(vmovl_s8(vld1_s8(static_cast<const std::int8_t*>(p))));
    }
    SOTTO_INLINE Ints load_pairs_u4(const void* p, Ints& upper) {
        const uint8x8_t both = vld1_u8(static_cast<const std::uint8_t*>(p));
        upper = vreinterpretq_s32_u16(vmovl_u8(vshr_n_u8(both, 4)));
        return vreinterpretq_s32_u16(vmovl_u8(vand_u8(both, vdup_n_u8(15))));
    }
    SOTTO_INLINE Ints pair(Ints low, Ints high) { return vsliq_n_s32(low, high, 16); }
    SOTTO_INLINE Ints dot_pairs(Ints a, Ints b) {
        const int16x8_t x = vreinterpretq_s16_s32(a), y = vreinterpretq_s16_s32(b);
        return vpaddq_s32(vmull_s16(vget_low_s16(x), vget_low_s16(y)), vmull_high_s16(x, y));
    }
    SOTTO_INLINE void store(float* p, Floats v) { vst1q_f32(p, v); }
    SOTTO_INLINE Floats broadcast(const float* p) { return vld1q_dup_f32(p); }
    SOTTO_INLINE Floats mul(Floats a, Floats b) { return vmulq_f32(a, b); }
    SOTTO_INLINE Floats fma(Floats a, Floats b, Floats c) { return vfmaq_f32(c, a, b); }
    SOTTO_INLINE Floats negate(Floats a) { return vnegq_f32(a); }
    SOTTO_INLINE Floats to_floats(Ints v) { return vcvtq_f32_s32(v); }
    SOTTO_INLINE Ints add_ints(Ints a, Ints b) { return vaddq_s32(a, b); }
    SOTTO_INLINE void prefetch(const void* p) { __builtin_prefetch(p); }

    SOTTO_INLINE Ints broadcast_ints(const std::int32_t* p) { return vld1q_dup_s32(p); }

    static constexpr int kSignedOffset = 0; // all codes fit int8 here
    SOTTO_INLINE Bytes signed_codes(Bytes v) { return v; }
    SOTTO_INLINE Bytes look_up(const std::int8_t* table, Bytes index) {
        return vqtbl1q_u8(vreinterpretq_u8_s8(vld1q_s8(table)), index);
    }
    SOTTO_INLINE int8x16_t broadcast_word(const std::int8_t* p) {
        std::int32_t word;
        __builtin_memcpy(&word, p, sizeof word);
        return vreinterpretq_s8_s32(vdupq_n_s32(word));
    }

#if SOTTO_I8MM
    /// Words s and s + 1 of rows 0 and 1, and of rows 2 and 3: matrices of 2 rows, 8 columns.
    struct Matrices {
        int8x16_t rows01, rows23;
    };
    SOTTO_INLINE Matrices two_words(Bytes even, Bytes odd) {
        const uint32x4_t a = vreinterpretq_u32_u8(even), b = vreinterpretq_u32_u8(odd);
        return {vreinterpretq_s8_u32(vzip1q_u32(a, b)), vreinterpretq_s8_u32(vzip2q_u32(a, b))};
    }
    /// Sums of products of 4 rows of weights with 2 rows of activations.
    struct MatrixSum {
        int32x4_t rows01, rows23; // [row of weights][row of activations]
        SOTTO_MEMBER void start() { rows01 = rows23 = vdupq_n_s32(0); }
        SOTTO_MEMBER void add(Matrices w, const std::int8_t* x) {
            const int8x16_t columns = vld1q_s8(x);
            rows01 = vmmlaq_s32(rows01, w.rows01, columns);
            rows23 = vmmlaq_s32(rows23, w.rows23, columns);
        }
        /// Of the first or the second row of activations.
        SOTTO_MEMBER Ints total(int row) const {
            return row == 0 ? vuzp1q_s32(rows01, rows23) : vuzp2q_s32(rows01, rows23);
        }
    };
#endif

#if SOTTO_DOTPROD
    template <int kBits>
    struct Sum {
        Ints acc;
        SOTTO_MEMBER void start() { acc = vdupq_n_s32(0); }
        SOTTO_MEMBER void start(const std::int32_t* offset) { acc = broadcast_ints(offset); }
        template <int kStep>
        SOTTO_MEMBER void add(Bytes w, const std::int8_t* x) {
            // One load serves 4 words: the lane form of the instruction picks the word.
            const int8x16_t words = vld1q_s8(x - 4 * (kStep % 4));
            acc = vdotq_laneq_s32(acc, vreinterpretq_s8_u8(w), words, kStep % 4);
        }
        SOTTO_MEMBER Ints total() const { return acc; }
    };
#else
    /// 16-bit sums of single products, widened in pairs before they could overflow
    /// (15 * 127 * 8, 31 * 127 * 8, 63 * 127 * 4 and 128 * 127 * 2 fit); codes of 2 and 3 bits are
    /// summed over 4 words.
    template <int kBits>
    struct Sum {
        static constexpr int kRun = kBits == 4 || kBits == 5 ? 8 : kBits <= 6 ? 4 : 2;
        Ints acc, low, high; // low, high: two halves of a lane's sum side by side
        int16x8_t run_low, run_high;
        SOTTO_MEMBER void start() { acc = low = high = vdupq_n_s32(0); }
        SOTTO_MEMBER void start(const std::int32_t* offset) {
            start();
            acc = broadcast_ints(offset);
        }
        template <int kStep>
        SOTTO_MEMBER void add(Bytes w, const std::int8_t* x) {
            const int8x16_t code = vreinterpretq_s8_u8(w), word = broadcast_word(x);
            if constexpr (kStep % kRun == 0) {
                run_low = vmull_s8(vget_low_s8(code), vget_low_s8(word));
                run_high = vmull_high_s8(code, word);
            } else {
                run_low = vmlal_s8(run_low, vget_low_s8(code), vget_low_s8(word));
                run_high = vmlal_high_s8(run_high, code, word);
            }
            if constexpr (kStep % kRun == kRun - 1) {
                low = vpadalq_s16(low, run_low);
                high = vpadalq_s16(high, run_high);
            }
        }
        SOTTO_MEMBER Ints total() const { return vaddq_s32(acc, vpaddq_s32(low, high)); }
    };
#endif

    template <int kRows>
    static constexpr int kFloatGroups = kRows <= 2 ? 2 : 1;
    template <int kRows>
    static constexpr int kPartsAtOnce = kRows == 1   ? 4
                                        : kRows == 2 ? 2
                                                     : 1;

    SOTTO_INLINE std::uint32_t largest_magnitude(const float* x) {
        uint32x4_t top = vdupq_n_u32(0);
        for (int i = 0; i < 32; i += 4)
            top = vmaxq_u32(top, vreinterpretq_u32_f32(vabsq_f32(vld1q_f32(x + i))));
        return vmaxvq_u32(top);
    }
    SOTTO_INLINE int32x4_t round4(const float* x, float factor) {
        const int32x4_t v = vcvtnq_s32_f32(vmulq_n_f32(vld1q_f32(x), factor));
        return vmaxq_s32(vminq_s32(v, vdupq_n_s32(127)), vdupq_n_s32(-127));
    }
    SOTTO_INLINE std::int32_t round16(const float* x, float factor, std::int8_t* q) {
        const int32x4_t a = round4(x, factor), b = round4(x + 4, factor);
        const int32x4_t c = round4(x + 8, factor), d = round4(x + 12, factor);
        const int16x8_t low = vcombine_s16(vmovn_s32(a), vmovn_s32(b));
        const int16x8_t high = vcombine_s16(vmovn_s32(c), vmovn_s32(d));
        vst1q_s8(q, vcombine_s8(vmovn_s16(low), vmovn_s16(high)));
        return vaddvq_s32(vaddq_s32(vaddq_s32(a, b), vaddq_s32(c, d)));
    }
};
