// SPDX-License-Identifier: Apache-2.0
// Keys and values into their tiles (kv_tile_bytes() says how these look). Included inside an
// unnamed namespace.

/// halves[n] = v[n] for n = 16, or 8 where no more are left; returns n.
SOTTO_INLINE int to_halves(const float* v, int left, std::uint16_t* halves) {
    F32x16::store_f16(halves, left >= 16 ? F32x16::load(v) : F32x16::load8(v));
    return left >= 16 ? 16 : 8;
}

/// 32 values, or n where no more are left, as codes; returns their scale in F16.
SOTTO_INLINE std::uint16_t to_codes(const float* x, int n, std::int8_t* codes) {
    float block[32] = {}, scale;
    __builtin_memcpy(block, x, static_cast<std::size_t>(n < 32 ? n : 32) * sizeof(float));
    std::int32_t sums[2];
    quantize_row(block, 32, codes, &scale, sums);
    std::uint16_t halves[16];
    F32x16::store_f16(halves, F32x16::all(scale));
    return halves[0];
}

void store_key_codes(const float* k, int head_dim, int lane, unsigned char* tile) {
    for (int d = 0; d < head_dim; d += 32, tile += kKeyBlockBytes) {
        std::int8_t codes[32];
        const std::uint16_t scale = to_codes(k + d, head_dim - d, codes);
        __builtin_memcpy(tile + 2 * lane, &scale, sizeof scale);
        unsigned char* word = tile + 2 * kKvTile + 4 * lane;
        for (int i = 0; i < 32; i += 4, word += 4 * kKvTile)
            __builtin_memcpy(word, codes + i, 4);
    }
}

void store_value_codes(const float* v, int head_dim, int lane, unsigned char* tile) {
    const int n_blocks = kv_blocks(head_dim);
    unsigned char* row = tile + (2 * kKvTile + 32 * lane) * n_blocks;
    for (int b = 0; b < n_blocks; ++b) {
        std::int8_t codes[32];
        const std::uint16_t scale = to_codes(v + 32 * b, head_dim - 32 * b, codes);
        __builtin_memcpy(tile + 2 * (b * kKvTile + lane), &scale, sizeof scale);
        __builtin_memcpy(row + 32 * b, codes, 32);
    }
}

void store_k(KvType type, const float* k, int head_dim, int lane, void* tile) {
    if (type == KvType::Q8_0)
        return store_key_codes(k, head_dim, lane, static_cast<unsigned char*>(tile));
    if (type == KvType::F32) {
        for (int d = 0; d < head_dim; ++d)
            static_cast<float*>(tile)[d * kKvTile + lane] = k[d];
        return;
    }
    std::uint16_t halves[16];
    for (int d = 0; d < head_dim;) {
        const int n = to_halves(k + d, head_dim - d, halves);
        for (int i = 0; i < n; ++i, ++d)
            static_cast<std::uint16_t*>(tile)[d * kKvTile + lane] = halves[i];
    }
}

void store_v(KvType type, const float* v, int head_dim, int lane, void* tile) {
    if (type == KvType::Q8_0)
        return store_value_codes(v, head_dim, lane, static_cast<unsigned char*>(tile));
    const auto n_values = static_cast<std::size_t>(head_dim);
    if (type == KvType::F32) {
        __builtin_memcpy(static_cast<float*>(tile) + lane * head_dim, v, n_values * sizeof(float));
        return;
    }
    std::uint16_t* row = static_cast<std::uint16_t*>(tile) + lane * head_dim;
    std::uint16_t halves[16];
    for (int d = 0; d < head_dim;) {
        const int n = to_halves(v + d, head_dim - d, halves);
        __builtin_memcpy(row + d, halves, static_cast<std::size_t>(n) * sizeof halves[0]);
        d += n;
    }
}
