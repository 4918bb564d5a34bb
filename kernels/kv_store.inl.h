// SPDX-License-Identifier: Apache-2.0
// Keys and values into their tiles: K tiles [head_dim][16 keys], V tiles [16 keys][head_dim].
// Included inside an unnamed namespace.

/// halves[n] = v[n] for n = 16, or 8 where no more are left; returns n.
SOTTO_INLINE int to_halves(const float* v, int left, std::uint16_t* halves) {
    F32x16::store_f16(halves, left >= 16 ? F32x16::load(v) : F32x16::load8(v));
    return left >= 16 ? 16 : 8;
}

void store_k(KvType type, const float* k, int head_dim, int lane, void* tile) {
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
