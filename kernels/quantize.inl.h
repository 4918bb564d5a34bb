// SPDX-License-Identifier: Apache-2.0
// Activations to int8 in blocks of 32 (numerics, rule 2), generic over Simd. Included inside an
// unnamed namespace. The definition is scalar_quantize_row.

SOTTO_INLINE void quantize_block(const float* x, std::int8_t* q, float* d, std::int32_t* sum) {
    const std::uint32_t bits = Simd::largest_magnitude(x); // magnitudes order like their bits
    float factor = 0.0f;
    if (bits >= 0x7f800000u) { // infinity or NaN
        const std::uint32_t nan = 0x7fc00000u;
        __builtin_memcpy(d, &nan, sizeof nan);
    } else if (bits < 0x0d800000u) { // 2^-100
        *d = 0.0f;
    } else {
        float largest;
        __builtin_memcpy(&largest, &bits, sizeof largest);
        *d = largest / 127.0f;
        factor = 127.0f / largest;
    }
    if (factor == 0.0f) {
        __builtin_memset(q, 0, kActBlock);
        sum[0] = sum[1] = 0;
        return;
    }
    sum[0] = Simd::round16(x, factor, q);
    sum[1] = Simd::round16(x + 16, factor, q + 16);
}

void quantize_row(const float* x, std::int64_t n, std::int8_t* q, float* d, std::int32_t* sum) {
    std::int64_t b = 0;
    for (; (b + 1) * kActBlock <= n; ++b)
        quantize_block(x + b * kActBlock, q + b * kActBlock, d + b, sum + 2 * b);
    if (b * kActBlock == n)
        return;
    float last[kActBlock] = {};
    for (std::int64_t i = b * kActBlock; i < n; ++i)
        last[i - b * kActBlock] = x[i];
    quantize_block(last, q + b * kActBlock, d + b, sum + 2 * b);
}
