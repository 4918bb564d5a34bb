// SPDX-License-Identifier: Apache-2.0
// Kernels along rows, over F32x16. Included inside an unnamed namespace, after f32x16_<isa>.h.

#include "kernels/exp.inl.h"

/// Lanes i and i+8, then +4, +2, +1 (numerics, rule 5).
template <class Combine>
SOTTO_INLINE float reduce(F32x16 a, const Combine& combine) {
    float v[16];
    F32x16::store(v, a);
    for (int half = 8; half > 0; half /= 2)
        for (int i = 0; i < half; ++i)
            v[i] = combine(v[i], v[i + half]);
    return v[0];
}

SOTTO_INLINE float sum_lanes(F32x16 a) {
    return reduce(a, [](float x, float y) { return x + y; });
}

SOTTO_INLINE float max_lanes(F32x16 a) {
    return reduce(a, [](float x, float y) { return x > y ? x : y; });
}

/// Calls f(vector, lanes, offset) for the elements of a row, 16 at a time and once for the rest.
template <class F>
SOTTO_INLINE void for_vectors(std::int64_t n, const F& f) {
    std::int64_t i = 0;
    for (; i + 16 <= n; i += 16)
        f(i, 16);
    if (i < n)
        f(i, static_cast<int>(n - i));
}

SOTTO_INLINE F32x16 load_some(const float* p, int n) {
    return n == 16 ? F32x16::load(p) : F32x16::load_first(p, n);
}

SOTTO_INLINE void store_some(float* p, int n, F32x16 a) {
    if (n == 16)
        F32x16::store(p, a);
    else
        F32x16::store_first(p, n, a);
}

SOTTO_INLINE float max_of(const float* x, std::int64_t n) {
    F32x16 m = F32x16::all(-__builtin_inff());
    for_vectors(n, [&](std::int64_t i, int lanes) {
        m = F32x16::keep(0, lanes, F32x16::max(load_some(x + i, lanes), m), m);
    });
    return max_lanes(m);
}

void rms_norm(const float* x, const float* w, std::int64_t n, float eps, float* y) {
    F32x16 sum = F32x16::all(0.0f);
    for_vectors(n, [&](std::int64_t i, int lanes) {
        const F32x16 v = load_some(x + i, lanes); // missing lanes are 0 and add nothing
        sum = F32x16::fma(v, v, sum);
    });
    const float mean = sum_lanes(sum) / static_cast<float>(n);
    const F32x16 inverse = F32x16::all(1.0f / __builtin_sqrtf(mean + eps));
    for_vectors(n, [&](std::int64_t i, int lanes) {
        store_some(y + i, lanes, load_some(x + i, lanes) * inverse * load_some(w + i, lanes));
    });
}

SOTTO_INLINE void rotate_pair(float& a, float& b, float cos, float sin) {
    const float x = a, y = b;
    a = __builtin_fmaf(x, cos, -(y * sin));
    b = __builtin_fmaf(y, cos, x * sin);
}

void rope(float* x, int n_head, int head_dim, int n_rot, const float* cos, const float* sin, RopeStyle style) {
    const int half = n_rot / 2;
    for (int h = 0; h < n_head; ++h, x += head_dim)
        for (int i = 0; i < half; ++i)
            if (style == RopeStyle::interleaved)
                rotate_pair(x[2 * i], x[2 * i + 1], cos[i], sin[i]);
            else
                rotate_pair(x[i], x[i + half], cos[i], sin[i]);
}

void silu_mul(float* gate, const float* up, std::int64_t n) {
    for_vectors(n, [&](std::int64_t i, int lanes) {
        const F32x16 g = load_some(gate + i, lanes);
        const F32x16 e = exp_of(F32x16::all(0.0f) - g);
        store_some(gate + i, lanes, g / (F32x16::all(1.0f) + e) * load_some(up + i, lanes));
    });
}

void add(float* y, const float* x, std::int64_t n) {
    for_vectors(n, [&](std::int64_t i, int lanes) {
        store_some(y + i, lanes, load_some(y + i, lanes) + load_some(x + i, lanes));
    });
}

/// x = exp(x - max), and the sum of that.
SOTTO_INLINE float exp_and_sum(const float* x, float* y, std::int64_t n, float max) {
    F32x16 sum = F32x16::all(0.0f);
    for_vectors(n, [&](std::int64_t i, int lanes) {
        const F32x16 e = exp_of(load_some(x + i, lanes) - F32x16::all(max));
        sum = F32x16::keep(0, lanes, sum + e, sum);
        if (y)
            store_some(y + i, lanes, e);
    });
    return sum_lanes(sum);
}

void softmax(float* x, std::int64_t n) {
    const F32x16 sum = F32x16::all(exp_and_sum(x, x, n, max_of(x, n)));
    for_vectors(n, [&](std::int64_t i, int lanes) { store_some(x + i, lanes, load_some(x + i, lanes) / sum); });
}

float log_sum_exp(const float* x, std::int64_t n) {
    const float max = max_of(x, n);
    return max + static_cast<float>(log_f64(static_cast<double>(exp_and_sum(x, nullptr, n, max))));
}

std::int64_t argmax(const float* x, std::int64_t n) {
    // x - x is 0 for finite values alone.
    F32x16 max = F32x16::all(-__builtin_inff()), zeros = F32x16::all(0.0f);
    for_vectors(n, [&](std::int64_t i, int lanes) {
        const F32x16 v = load_some(x + i, lanes);
        max = F32x16::keep(0, lanes, F32x16::max(v, max), max);
        zeros = zeros + (v - v);
    });
    if (!(sum_lanes(zeros) == 0.0f))
        return -1;
    const F32x16 best = F32x16::all(max_lanes(max));
    for (std::int64_t i = 0; i < n; i += 16) {
        const int lanes = n - i < 16 ? static_cast<int>(n - i) : 16;
        const std::uint32_t equal = F32x16::equal(load_some(x + i, lanes), best) & ((1u << lanes) - 1u);
        if (equal != 0)
            return i + __builtin_ctz(equal);
    }
    return -1;
}

#include "kernels/attention.inl.h"
