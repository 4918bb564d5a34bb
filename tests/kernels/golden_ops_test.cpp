// SPDX-License-Identifier: Apache-2.0
// Hashes of the vector operations and of attention: every level of every machine must find the
// same. They change only together with kNumericsVersion.
#include "tests/kernels/plain_ops.h"

#include <doctest/doctest.h>

#include <bit>

using namespace sotto::kernels;
using namespace sotto::kernels::test;

namespace {

/// FNV-1a over the bits of floats.
std::uint64_t hash(std::uint64_t state, const std::vector<float>& x) {
    for (float value : x) {
        REQUIRE(std::isfinite(value)); // the promise is for finite results
        for (int shift = 0; shift < 32; shift += 8)
            state =
                (state ^ (std::bit_cast<std::uint32_t>(value) >> shift & 0xffu)) * 0x100000001b3u;
    }
    return state;
}
constexpr std::uint64_t kStart = 0xcbf29ce484222325u;

std::uint64_t rows_hash(const KernelTable& table) {
    Random random(1);
    std::uint64_t state = kStart;
    for (std::int64_t n : {1, 17, 64, 1003}) {
        auto x = numbers(n, Row::large, random);
        const auto w = numbers(n, Row::ordinary, random);
        state = hash(state, {table.log_sum_exp(x.data(), n)});
        auto y = x;
        table.softmax(y.data(), n);
        state = hash(state, y);
        table.rms_norm(x.data(), w.data(), n, 1e-5f, y.data());
        state = hash(state, y);
        table.silu_mul(x.data(), w.data(), n);
        table.add(x.data(), w.data(), n);
        state = hash(state, x);
    }
    return state;
}

std::uint64_t gelu_hash(const KernelTable& table) {
    Random random(4);
    std::uint64_t state = kStart;
    for (Row kind : {Row::ordinary, Row::large, Row::denormal, Row::huge})
        for (std::int64_t n : {1, 17, 64, 1003}) {
            auto x = numbers(n, kind, random);
            const auto w = numbers(n, Row::tiny, random);
            table.gelu_tanh_mul(x.data(), w.data(), n);
            table.scale(x.data(), 25.298221f, n);
            state = hash(state, x);
        }
    return state;
}

std::uint64_t rope_hash(const KernelTable& table) {
    Random random(2);
    std::uint64_t state = kStart;
    for (std::int64_t pos : {0, 1, 777, 1000000})
        for (RopeStyle style : {RopeStyle::interleaved, RopeStyle::halves}) {
            auto x = numbers(3 * 80, Row::ordinary, random);
            std::vector<float> cos(40), sin(40);
            rope_table(pos, 80, 500000.0, 1.0, nullptr, cos.data(), sin.data());
            table.rope(x.data(), 3, 80, 80, cos.data(), sin.data(), style);
            state = hash(hash(hash(state, x), cos), sin);
        }
    return state;
}

/// 5 queries over two chunks, of 256 and of 37 keys, causal.
std::uint64_t attention_hash(const KernelTable& table, KvType type) {
    constexpr int kHeadDim = 72, kKeys = 293, kQueries = 5, kTiles = (kKeys + 15) / 16;
    const std::size_t kTileFloats = kv_tile_bytes(type, kHeadDim) / 4;
    Random random(3);
    std::vector<float> k(kTileFloats * kTiles), v(k), out(kQueries * kHeadDim),
        max(kQueries, -kInf);
    std::vector<float> sum(kQueries), scratch(attention_scratch_floats(kQueries, kHeadDim) + 16);
    const auto q = numbers(kQueries * kHeadDim, Row::ordinary, random);
    const void *k_tiles[kTiles], *v_tiles[kTiles];
    for (int key = 0; key < kKeys; ++key) {
        const std::size_t tile = static_cast<std::size_t>(key / kKvTile) * kTileFloats;
        k_tiles[key / kKvTile] = &k[tile];
        v_tiles[key / kKvTile] = &v[tile];
        table.store_k(type, numbers(kHeadDim, Row::ordinary, random).data(), kHeadDim,
                      key % kKvTile, &k[tile]);
        table.store_v(type, numbers(kHeadDim, Row::ordinary, random).data(), kHeadDim,
                      key % kKvTile, &v[tile]);
    }
    const float* q_rows[kQueries];
    float* out_rows[kQueries];
    int begin[kQueries] = {}, end[kQueries];
    for (int i = 0; i < kQueries; ++i) {
        q_rows[i] = &q[static_cast<std::size_t>(i * kHeadDim)];
        out_rows[i] = &out[static_cast<std::size_t>(i * kHeadDim)];
    }
    for (int origin = 0; origin < kKeys; origin += kAttnChunk) {
        const int n_keys = std::min(kAttnChunk, kKeys - origin);
        for (int i = 0; i < kQueries; ++i)
            end[i] = std::min(n_keys, kKeys - kQueries + 1 + i - origin);
        table.attention_chunk({type, type, kHeadDim, n_keys, k_tiles + origin / kKvTile,
                               v_tiles + origin / kKvTile, kQueries, q_rows, begin, end, 0.125f,
                               max.data(), sum.data(), out_rows, scratch.data()});
    }
    for (int i = 0; i < kQueries; ++i)
        table.attention_finish(out_rows[i], sum[static_cast<std::size_t>(i)], kHeadDim);
    return hash(hash(hash(kStart, out), max), sum);
}

} // namespace

TEST_CASE("vector operations and attention have the golden hashes on every level") {
    static_assert(kNumericsVersion == 3);
    for (Isa isa : supported_isas()) {
        CAPTURE(name(isa));
        const KernelTable& table = kernel_table(isa);
        CHECK(rows_hash(table) == 0xa1a05470fd8885f9u);
        CHECK(gelu_hash(table) == 0x7a3c0909a15510eau);
        CHECK(rope_hash(table) == 0xc03cff7db0529521u);
        CHECK(attention_hash(table, KvType::F16) == 0xf3120ee412ce7546u);
        CHECK(attention_hash(table, KvType::F32) == 0x9244b030786e0507u);
        CHECK(attention_hash(table, KvType::Q8_0) == 0xf265a6cca7cbd069u);
    }
}
