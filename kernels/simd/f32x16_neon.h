// SPDX-License-Identifier: Apache-2.0
// 16 floats for NEON. What each function does: f32x16_scalar.h. Included inside an unnamed
// namespace.

struct F32x16 {
    static constexpr int kAccumulators = 4;
    float32x4_t v[4];

    template <typename Function>
    SOTTO_INLINE F32x16 each(const Function& function) {
        return {{function(0), function(1), function(2), function(3)}};
    }

    SOTTO_INLINE F32x16 all(float x) {
        return each([&](int) { return vdupq_n_f32(x); });
    }
    SOTTO_INLINE F32x16 load(const float* p) {
        return each([&](int i) { return vld1q_f32(p + 4 * i); });
    }
    SOTTO_INLINE F32x16 load_first(const float* p, int n) {
        float copy[16] = {};
        for (int i = 0; i < n; ++i)
            copy[i] = p[i];
        return load(copy);
    }
    SOTTO_INLINE F32x16 load8(const float* p) {
        return {{vld1q_f32(p), vld1q_f32(p + 4), vdupq_n_f32(0.0f), vdupq_n_f32(0.0f)}};
    }
    SOTTO_INLINE F32x16 load_twice(const float* p) {
        const float32x4_t x = vld1q_f32(p), y = vld1q_f32(p + 4);
        return {{vzip1q_f32(x, x), vzip2q_f32(x, x), vzip1q_f32(y, y), vzip2q_f32(y, y)}};
    }
    SOTTO_INLINE float32x4_t widen(const std::uint16_t* p) {
        return vcvt_f32_f16(vreinterpret_f16_u16(vld1_u16(p)));
    }
    SOTTO_INLINE F32x16 load_f16(const std::uint16_t* p) {
        return each([&](int i) { return widen(p + 4 * i); });
    }
    SOTTO_INLINE F32x16 load8_f16(const std::uint16_t* p) {
        return {{widen(p), widen(p + 4), vdupq_n_f32(0.0f), vdupq_n_f32(0.0f)}};
    }
    SOTTO_INLINE F32x16 load_i8(const std::int8_t* p) {
        const int8x16_t x = vld1q_s8(p);
        const int16x8_t low = vmovl_s8(vget_low_s8(x)), high = vmovl_s8(vget_high_s8(x));
        return {{vcvtq_f32_s32(vmovl_s16(vget_low_s16(low))),
                 vcvtq_f32_s32(vmovl_s16(vget_high_s16(low))),
                 vcvtq_f32_s32(vmovl_s16(vget_low_s16(high))),
                 vcvtq_f32_s32(vmovl_s16(vget_high_s16(high)))}};
    }
    SOTTO_INLINE void store(float* p, F32x16 a) {
        for (int i = 0; i < 4; ++i)
            vst1q_f32(p + 4 * i, a.v[i]);
    }
    SOTTO_INLINE void store_first(float* p, int n, F32x16 a) {
        float copy[16];
        store(copy, a);
        for (int i = 0; i < n; ++i)
            p[i] = copy[i];
    }
    SOTTO_INLINE void store_f16(std::uint16_t* p, F32x16 a) {
        for (int i = 0; i < 4; ++i) { // minimum and maximum give NaN where an operand is NaN
            const float32x4_t low = vmaxq_f32(vdupq_n_f32(-65504.0f), a.v[i]);
            const float32x4_t clamped = vminq_f32(vdupq_n_f32(65504.0f), low);
            vst1_u16(p + 4 * i, vreinterpret_u16_f16(vcvt_f16_f32(clamped)));
        }
    }

    SOTTO_MEMBER F32x16 operator+(F32x16 b) const {
        return each([&](int i) { return vaddq_f32(v[i], b.v[i]); });
    }
    SOTTO_MEMBER F32x16 operator-(F32x16 b) const {
        return each([&](int i) { return vsubq_f32(v[i], b.v[i]); });
    }
    SOTTO_MEMBER F32x16 operator*(F32x16 b) const {
        return each([&](int i) { return vmulq_f32(v[i], b.v[i]); });
    }
    SOTTO_MEMBER F32x16 operator/(F32x16 b) const {
        return each([&](int i) { return vdivq_f32(v[i], b.v[i]); });
    }
    SOTTO_INLINE F32x16 fma(F32x16 a, F32x16 b, F32x16 c) {
        return each([&](int i) { return vfmaq_f32(c.v[i], a.v[i], b.v[i]); });
    }
    SOTTO_INLINE F32x16 fma_sub_add(F32x16 a, F32x16 b, F32x16 c) {
        const uint32x4_t sign = vreinterpretq_u32_u64(vdupq_n_u64(0x80000000u)); // of even lanes
        return each([&](int i) {
            const uint32x4_t flipped = veorq_u32(vreinterpretq_u32_f32(c.v[i]), sign);
            return vfmaq_f32(vreinterpretq_f32_u32(flipped), a.v[i], b.v[i]);
        });
    }
    SOTTO_INLINE F32x16 max(F32x16 a, F32x16 b) { // vmaxq differs in NaN and the sign of zero
        return each([&](int i) { return vbslq_f32(vcgtq_f32(a.v[i], b.v[i]), a.v[i], b.v[i]); });
    }
    SOTTO_INLINE F32x16 min(F32x16 a, F32x16 b) {
        return each([&](int i) { return vbslq_f32(vcltq_f32(a.v[i], b.v[i]), a.v[i], b.v[i]); });
    }
    SOTTO_INLINE F32x16 keep(int begin, int end, F32x16 a, F32x16 b) {
        const std::int32_t first[4] = {0, 1, 2, 3};
        return each([&](int i) {
            const int32x4_t lane = vaddq_s32(vld1q_s32(first), vdupq_n_s32(4 * i));
            const uint32x4_t mask =
                vandq_u32(vcgeq_s32(lane, vdupq_n_s32(begin)), vcltq_s32(lane, vdupq_n_s32(end)));
            return vbslq_f32(mask, a.v[i], b.v[i]);
        });
    }
    SOTTO_INLINE F32x16 swap_pairs(F32x16 a) {
        return each([&](int i) { return vrev64q_f32(a.v[i]); });
    }
    template <int kLanes>
    SOTTO_INLINE F32x16 move_down(F32x16 a) {
        if constexpr (kLanes >= 4)
            return each([&](int i) { return a.v[(i + kLanes / 4) % 4]; });
        return each([&](int i) { return vextq_f32(a.v[i], a.v[i], kLanes); });
    }
    SOTTO_INLINE float first(F32x16 a) { return vgetq_lane_f32(a.v[0], 0); }
    SOTTO_INLINE std::uint32_t equal(F32x16 a, F32x16 b) {
        const std::uint32_t bit[4] = {1, 2, 4, 8};
        uint32x4_t sum = vdupq_n_u32(0);
        for (int i = 0; i < 4; ++i) {
            const uint32x4_t bits = vandq_u32(vceqq_f32(a.v[i], b.v[i]), vld1q_u32(bit));
            sum = vorrq_u32(sum, vshlq_u32(bits, vdupq_n_s32(4 * i)));
        }
        return vaddvq_u32(sum);
    }

    static constexpr float kRounder = 0x1.8p23f;
    SOTTO_INLINE float32x4_t power_of_2(int32x4_t n) {
        return vreinterpretq_f32_s32(vshlq_n_s32(vaddq_s32(n, vdupq_n_s32(127)), 23));
    }
    SOTTO_INLINE F32x16 times_power_of_2(F32x16 a, F32x16 shifted) {
        const int32x4_t rounder = vreinterpretq_s32_f32(vdupq_n_f32(kRounder));
        return each([&](int i) {
            const int32x4_t n = vsubq_s32(vreinterpretq_s32_f32(shifted.v[i]), rounder);
            const int32x4_t half = vshrq_n_s32(n, 1);
            const float32x4_t scaled = vmulq_f32(a.v[i], power_of_2(half));
            return vmulq_f32(scaled, power_of_2(vsubq_s32(n, half)));
        });
    }
};
