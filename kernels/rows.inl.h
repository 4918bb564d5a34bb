// SPDX-License-Identifier: Apache-2.0
// Operations along a row. Element i of a row is in lane i mod 16 of a reduction; the elements that
// the last 16 lack leave their lanes untouched (numerics, rule 5). Included inside an unnamed
// namespace.

/// Calls body(i, load, store) for each 16 elements of a row of n: load(p) and store(p, v) move
/// those at p + i, in the last step only as many as there are.
template <typename Body>
SOTTO_INLINE void for_each_16(std::int64_t n, const Body& body) {
    std::int64_t i = 0;
    for (; i + 16 <= n; i += 16)
        body(
            i, [i](const float* p) SOTTO_INLINE_LAMBDA { return F32x16::load(p + i); },
            [i](float* p, F32x16 v) SOTTO_INLINE_LAMBDA { F32x16::store(p + i, v); });
    const int rest = static_cast<int>(n - i);
    if (rest > 0)
        body(
            i,
            [i, rest](const float* p)
                SOTTO_INLINE_LAMBDA { return F32x16::load_first(p + i, rest); },
            [i, rest](float* p, F32x16 v)
                SOTTO_INLINE_LAMBDA { F32x16::store_first(p + i, rest, v); });
}

SOTTO_INLINE F32x16 only_first(std::int64_t n, F32x16 a, F32x16 otherwise) {
    return n >= 16 ? a : F32x16::keep(0, static_cast<int>(n), a, otherwise);
}

void rms_norm(const float* x, const float* w, std::int64_t n, float eps, float* y) {
    F32x16 squares = F32x16::all(0.0f);
    for_each_16(n, [&](std::int64_t, auto load, auto) SOTTO_INLINE_LAMBDA {
        const F32x16 v = load(x);
        squares = F32x16::fma(v, v, squares);
    });
    const float mean = sum_of_lanes(squares) / static_cast<float>(n);
    // A sum that overflowed gives NaN, so that it shows; to others this adds zero.
    const float overflow = mean * 0.0f;
    const F32x16 inverse = F32x16::all(1.0f / __builtin_sqrtf(mean + eps) + overflow);
    for_each_16(n, [&](std::int64_t, auto load, auto store)
                       SOTTO_INLINE_LAMBDA { store(y, (load(x) * inverse) * load(w)); });
}

void silu_mul(float* gate, const float* up, std::int64_t n) {
    const F32x16 zero = F32x16::all(0.0f), one = F32x16::all(1.0f);
    for_each_16(n, [&](std::int64_t, auto load, auto store) SOTTO_INLINE_LAMBDA {
        const F32x16 g = load(gate);
        store(gate, g / (one + exp_of(zero - g)) * load(up));
    });
}

/// x/2 (1 + tanh u) with u = sqrt(2/pi) (x + 0.044715 x^3) is x / (1 + e^(-2u)), which cancels
/// nothing: -2u = x * fma(x*x, k3, k1). Overflow on the way gives the limits, x or -0.
void gelu_tanh_mul(float* gate, const float* up, std::int64_t n) {
    const F32x16 k1 = F32x16::all(-0x1.988454p+0f), k3 = F32x16::all(-0x1.2444f2p-4f);
    const F32x16 one = F32x16::all(1.0f);
    for_each_16(n, [&](std::int64_t, auto load, auto store) SOTTO_INLINE_LAMBDA {
        const F32x16 g = load(gate);
        store(gate, g / (one + exp_of(g * F32x16::fma(g * g, k3, k1))) * load(up));
    });
}

void scale(float* x, float factor, std::int64_t n) {
    const F32x16 by = F32x16::all(factor);
    for_each_16(n, [&](std::int64_t, auto load, auto store)
                       SOTTO_INLINE_LAMBDA { store(x, load(x) * by); });
}

void add(float* y, const float* x, std::int64_t n) {
    for_each_16(n, [&](std::int64_t, auto load, auto store)
                       SOTTO_INLINE_LAMBDA { store(y, load(y) + load(x)); });
}

SOTTO_INLINE float max_of_row(const float* x, std::int64_t n) {
    const F32x16 lowest = F32x16::all(-__builtin_inff());
    F32x16 top = lowest;
    for_each_16(n, [&](std::int64_t i, auto load, auto) SOTTO_INLINE_LAMBDA {
        top = F32x16::max(only_first(n - i, load(x), lowest), top);
    });
    return max_of_lanes(top);
}

void softmax(float* x, std::int64_t n) {
    const F32x16 top = F32x16::all(max_of_row(x, n)), zero = F32x16::all(0.0f);
    F32x16 sum = zero;
    for_each_16(n, [&](std::int64_t i, auto load, auto store) SOTTO_INLINE_LAMBDA {
        const F32x16 e = exp_of(load(x) - top);
        store(x, e);
        sum = sum + only_first(n - i, e, zero);
    });
    const F32x16 total = F32x16::all(sum_of_lanes(sum));
    for_each_16(n, [&](std::int64_t, auto load, auto store)
                       SOTTO_INLINE_LAMBDA { store(x, load(x) / total); });
}

float log_sum_exp(const float* x, std::int64_t n) {
    const float largest = max_of_row(x, n);
    const F32x16 top = F32x16::all(largest), zero = F32x16::all(0.0f);
    F32x16 sum = zero;
    for_each_16(n, [&](std::int64_t i, auto load, auto) SOTTO_INLINE_LAMBDA {
        sum = sum + only_first(n - i, exp_of(load(x) - top), zero);
    });
    const double log = log_f64(static_cast<double>(sum_of_lanes(sum)));
    return static_cast<float>(static_cast<double>(largest) + log);
}

/// The largest value of a row; NaN if a value is not finite.
SOTTO_INLINE float finite_max_of_row(const float* x, std::int64_t n) {
    const F32x16 zero = F32x16::all(0.0f), first = F32x16::all(x[0]);
    F32x16 top[4] = {first, first, first, first}, bad[2] = {zero, zero};
    std::int64_t i = 0;
    for (; i + 64 <= n; i += 64) // the order does not matter here: zeros of both signs are equal
        for (int j = 0; j < 4; ++j) {
            const F32x16 v = F32x16::load(x + i + 16 * j);
            top[j] = F32x16::max(v, top[j]);
            bad[j % 2] = bad[j % 2] + v * zero;
        }
    for_each_16(n - i, [&](std::int64_t k, auto load, auto) SOTTO_INLINE_LAMBDA {
        const F32x16 v = only_first(n - i - k, load(x + i), first);
        top[0] = F32x16::max(v, top[0]);
        bad[0] = bad[0] + v * zero;
    });
    const F32x16 all = F32x16::max(F32x16::max(top[0], top[1]), F32x16::max(top[2], top[3]));
    return max_of_lanes(all) + sum_of_lanes(bad[0] + bad[1]);
}

std::int64_t argmax(const float* x, std::int64_t n) {
    const float largest = finite_max_of_row(x, n);
    if (largest != largest)
        return -1;
    const F32x16 wanted = F32x16::all(largest);
    std::int64_t i = 0;
    for (; i + 16 <= n; i += 16)
        if (F32x16::equal(F32x16::load(x + i), wanted) != 0)
            break;
    while (i < n && x[i] != largest)
        ++i;
    return i;
}
