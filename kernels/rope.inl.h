// SPDX-License-Identifier: Apache-2.0
// Rotary embedding. Included inside an unnamed namespace.

/// (a, b) rotated; what the vectors below do in each pair of lanes.
SOTTO_INLINE void rotate_pair(float& a, float& b, float cos, float sin) {
    const float x = a, y = b;
    a = __builtin_fmaf(x, cos, -(y * sin));
    b = __builtin_fmaf(y, cos, x * sin);
}

SOTTO_INLINE void rotate_halves(float* x, int n_pairs, const float* cos, const float* sin) {
    const F32x16 minus_zero = F32x16::all(-0.0f);
    int i = 0;
    for (; i + 16 <= n_pairs; i += 16) {
        float *first = x + i, *second = first + n_pairs;
        const F32x16 a = F32x16::load(first), b = F32x16::load(second);
        const F32x16 c = F32x16::load(cos + i), s = F32x16::load(sin + i);
        F32x16::store(first, F32x16::fma(a, c, minus_zero - b * s));
        F32x16::store(second, F32x16::fma(b, c, a * s));
    }
    for (; i < n_pairs; ++i)
        rotate_pair(x[i], x[i + n_pairs], cos[i], sin[i]);
}

SOTTO_INLINE void rotate_interleaved(float* x, int n_pairs, const float* cos, const float* sin) {
    int i = 0;
    for (; i + 8 <= n_pairs; i += 8) {
        const F32x16 v = F32x16::load(x + 2 * i);
        const F32x16 across = F32x16::swap_pairs(v) * F32x16::load_twice(sin + i);
        F32x16::store(x + 2 * i, F32x16::fma_sub_add(v, F32x16::load_twice(cos + i), across));
    }
    for (; i < n_pairs; ++i)
        rotate_pair(x[2 * i], x[2 * i + 1], cos[i], sin[i]);
}

void rope(float* x, int n_head, int head_dim, int n_rot, const float* cos, const float* sin,
          RopeStyle style) {
    for (int h = 0; h < n_head; ++h, x += head_dim)
        if (style == RopeStyle::interleaved)
            rotate_interleaved(x, n_rot / 2, cos, sin);
        else
            rotate_halves(x, n_rot / 2, cos, sin);
}
