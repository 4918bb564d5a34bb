// SPDX-License-Identifier: Apache-2.0
// Attention: what many queries read is widened once, in the scratch memory. Widening is exact, so
// that it changes no bit. Included inside an unnamed namespace.

constexpr int kChunkTiles = kAttnChunk / kKvTile;

/// F32 tiles of a chunk's values, and of its keys unless they are multiplied as codes.
struct WideTiles {
    const void* k[kChunkTiles];
    const void* v[kChunkTiles];
};

SOTTO_INLINE void widen_halves(const void* tile, int n, float* to) {
    const auto* halves = static_cast<const std::uint16_t*>(tile);
    for (int i = 0; i < n; i += 16)
        F32x16::store(to + i, F32x16::load_f16(halves + i));
}

SOTTO_INLINE void widen_codes(const void* tile, int head_dim, float* to) {
    Values<KvType::Q8_0, 1, false> values;
    for (int d = 0; d < head_dim; d += 16) {
        const int n = head_dim - d < 16 ? 8 : 16;
        values.open(tile, head_dim, d);
        for (int key = 0; key < kKvTile; ++key)
            F32x16::store_first(to + key * head_dim + d, n, values.load(key, 0));
    }
}

/// Widens the tiles of keys [begin, end) into `memory`, [2][256][head_dim]; c then has these. Keys
/// that are multiplied as codes stay so.
void widen(AttentionChunk& c, int begin, int end, float* memory, WideTiles& wide) {
    const int tile_floats = kKvTile * c.head_dim;
    for (int t = begin / kKvTile; t * kKvTile < end; ++t) {
        float* k = memory + t * tile_floats;
        float* v = k + kChunkTiles * tile_floats;
        wide.k[t] = k;
        wide.v[t] = v;
        if (c.k_type == KvType::F16)
            widen_halves(c.k_tiles[t], tile_floats, k);
        if (c.v_type == KvType::F16)
            widen_halves(c.v_tiles[t], tile_floats, v);
        if (c.v_type == KvType::Q8_0)
            widen_codes(c.v_tiles[t], c.head_dim, v);
    }
    if (c.k_type == KvType::F16) {
        c.k_tiles = wide.k;
        c.k_type = KvType::F32;
    }
    if (c.v_type != KvType::F32) {
        c.v_tiles = wide.v;
        c.v_type = KvType::F32;
    }
}
