// SPDX-License-Identifier: Apache-2.0
// Attention: each level against plain loops over single queries, bit for bit, so that neither the
// level nor the other queries handed in can matter.
#include "tests/kernels/plain_ops.h"

#include <doctest/doctest.h>

using namespace sotto::kernels;
using namespace sotto::kernels::test;

namespace {

constexpr KvType kKvTypes[] = {KvType::F32, KvType::F16, KvType::Q8_0};

/// A query as it is and, for Q8_0 keys, as int8.
struct Query {
    explicit Query(const std::vector<float>& values) : x(values) {
        const std::size_t n_blocks = (x.size() + 31) / 32;
        codes.resize(32 * n_blocks);
        scales.resize(n_blocks);
        std::vector<std::int32_t> sums(2 * n_blocks);
        kernel_table(Isa::scalar)
            .quantize_row(x.data(), static_cast<std::int64_t>(x.size()), codes.data(),
                          scales.data(), sums.data());
    }
    std::vector<float> x, scales;
    std::vector<std::int8_t> codes;
};

/// How keys and values are kept.
struct Types {
    KvType k, v;
    Types(KvType both) : k(both), v(both) {}
    Types(KvType keys, KvType values) : k(keys), v(values) {}
};

std::vector<Types> kv_types() {
    std::vector<Types> types;
    for (KvType k : kKvTypes)
        for (KvType v : kKvTypes)
            types.push_back({k, v});
    return types;
}

/// Keys and values of one head in tiles, four after the other in memory as in a page; what no key
/// has written is NaN.
class Cache {
  public:
    Cache(const KernelTable& table, Types type, int head_dim, int n_keys, Row kind, Random& random)
        : type_(type), head_dim_(head_dim), n_blocks_((head_dim + 31) / 32) {
        const int n_tiles = (n_keys + kKvTile - 1) / kKvTile;
        const std::size_t k_bytes = kv_tile_bytes(type.k, head_dim);
        const std::size_t v_bytes = kv_tile_bytes(type.v, head_dim);
        for (int t = 0; t < n_tiles; ++t) {
            const auto in_page = static_cast<std::size_t>(t % 4);
            if (in_page == 0) {
                pages_.push_back(aligned_bytes(4 * (k_bytes + v_bytes)));
                std::memset(pages_.back().get(), 0xff, 4 * (k_bytes + v_bytes));
            }
            k_tiles.push_back(pages_.back().get() + in_page * k_bytes);
            v_tiles.push_back(pages_.back().get() + 4 * k_bytes + in_page * v_bytes);
        }
        for (int key = 0; key < n_keys; ++key) {
            const auto k = numbers(head_dim, kind, random), v = numbers(head_dim, kind, random);
            store(table, key, k, v);
        }
    }
    /// The chain of a score, before it is scaled.
    float product(const Query& q, int key) const {
        float acc = 0.0f;
        if (type_.k != KvType::Q8_0) {
            for (int d = 0; d < head_dim_; ++d)
                acc = std::fma(q.x[static_cast<std::size_t>(d)], k(key, d), acc);
            return acc;
        }
        for (int b = 0; b < n_blocks_; ++b) {
            int sum = 0;
            for (int d = 32 * b; d < 32 * (b + 1); ++d)
                sum += key_code(key, d) * q.codes[static_cast<std::size_t>(d)];
            const float scale = key_scale(key, b) * q.scales[static_cast<std::size_t>(b)];
            acc = std::fma(static_cast<float>(sum), scale, acc);
        }
        return acc;
    }
    /// What the cache holds, as numbers.
    float k(int key, int d) const {
        if (type_.k == KvType::Q8_0)
            return key_scale(key, d / 32) * static_cast<float>(key_code(key, d));
        return read(type_.k, k_tiles, key, d * kKvTile + key % kKvTile);
    }
    float v(int key, int d) const {
        if (type_.v == KvType::Q8_0)
            return value_scale(key, d / 32) * static_cast<float>(value_code(key, d));
        return read(type_.v, v_tiles, key, key % kKvTile * head_dim_ + d);
    }
    /// Makes a value NaN, as if it were a key's that other queries see.
    void spoil(int key) {
        const std::vector<float> nan(static_cast<std::size_t>(head_dim_), NAN);
        store(kernel_table(Isa::scalar), key, nan, nan);
    }

    std::vector<const void*> k_tiles, v_tiles;

  private:
    void store(const KernelTable& table, int key, const std::vector<float>& k,
               const std::vector<float>& v) {
        const auto tile = static_cast<std::size_t>(key / kKvTile);
        table.store_k(type_.k, k.data(), head_dim_, key % kKvTile,
                      const_cast<void*>(k_tiles[tile]));
        table.store_v(type_.v, v.data(), head_dim_, key % kKvTile,
                      const_cast<void*>(v_tiles[tile]));
    }
    static const unsigned char* tile_of(const std::vector<const void*>& tiles, int key) {
        return static_cast<const unsigned char*>(tiles[static_cast<std::size_t>(key / kKvTile)]);
    }
    static float half_at(const unsigned char* p) {
        std::uint16_t half;
        std::memcpy(&half, p, sizeof half);
        return f16_to_f32(half);
    }
    static float read(KvType type, const std::vector<const void*>& tiles, int key, int index) {
        if (type == KvType::F16)
            return half_at(tile_of(tiles, key) + 2 * index);
        float value;
        std::memcpy(&value, tile_of(tiles, key) + 4 * index, sizeof value);
        return value;
    }
    // Q8_0, as kv_tile_bytes() describes it.
    float key_scale(int key, int block) const {
        return half_at(tile_of(k_tiles, key) + 544 * block + 2 * (key % kKvTile));
    }
    int key_code(int key, int d) const {
        const int at = 544 * (d / 32) + 32 + d % 32 / 4 * 64 + 4 * (key % kKvTile) + d % 4;
        return static_cast<std::int8_t>(tile_of(k_tiles, key)[at]);
    }
    float value_scale(int key, int block) const {
        return half_at(tile_of(v_tiles, key) + 2 * (block * kKvTile + key % kKvTile));
    }
    int value_code(int key, int d) const {
        const int at = 32 * n_blocks_ + 32 * n_blocks_ * (key % kKvTile) + d;
        return static_cast<std::int8_t>(tile_of(v_tiles, key)[at]);
    }

    Types type_;
    int head_dim_, n_blocks_;
    std::vector<AlignedBytes> pages_;
};

struct Range {
    int begin, end; // of the keys in the cache
};

/// One query's keys [begin, end) in chunks of 256, merged one by one: numerics, rule 6.
std::vector<float> plain_attention(const Cache& cache, const std::vector<float>& q, Range seen,
                                   float scale) {
    std::vector<float> out(q.size());
    const Query query(q);
    float max = -kInf, sum = 0.0f;
    bool first = true;
    for (int chunk = seen.begin / kAttnChunk; chunk * kAttnChunk < seen.end; ++chunk) {
        const int origin = chunk * kAttnChunk;
        const int begin = std::max(seen.begin, origin),
                  end = std::min(seen.end, origin + kAttnChunk);
        std::vector<float> score(static_cast<std::size_t>(kAttnChunk), -kInf);
        for (int key = begin; key < end; ++key)
            score[static_cast<std::size_t>(key - origin)] = cache.product(query, key) * scale;
        const float top = plain::max(score.data(), kAttnChunk);
        std::vector<float> weight(score.size(), 0.0f);
        for (int key = begin - origin; key < end - origin; ++key)
            weight[static_cast<std::size_t>(key)] =
                exp_f32(score[static_cast<std::size_t>(key)] - top);
        const float total = plain::reduce(
            kAttnChunk, 0.0f,
            [&](float lane, std::int64_t i) { return lane + weight[static_cast<std::size_t>(i)]; },
            plain::plus);
        const float new_max = plain::larger(max, top);
        const float a = first ? 0.0f : exp_f32(max - new_max), b = exp_f32(top - new_max);
        for (std::size_t d = 0; d < q.size(); ++d) {
            float o = 0.0f;
            for (int key = begin; key < end; ++key)
                o = std::fma(weight[static_cast<std::size_t>(key - origin)],
                             cache.v(key, static_cast<int>(d)), o);
            out[d] = first ? o : std::fma(out[d], a, o * b);
        }
        sum = first ? total : std::fma(sum, a, total * b);
        max = first ? top : new_max;
        first = false;
    }
    for (float& value : out)
        value /= sum;
    return out;
}

/// Queries that are handed in together, through all chunks of a cache.
class Together {
  public:
    Together(const KernelTable& table, Types type, const Cache& cache,
             const std::vector<std::vector<float>>& q, const std::vector<Range>& seen, float scale,
             bool finish = true)
        : out(q.size()), max(q.size(), -kInf), sum(q.size(), 0.0f) {
        const auto n_queries = static_cast<int>(q.size());
        const auto head_dim = static_cast<int>(q[0].size());
        const std::size_t scratch_floats = attention_scratch_floats(n_queries, head_dim);
        Placed scratch(std::vector<float>(scratch_floats, NAN), 16);
        std::vector<const float*> q_rows;
        std::vector<float*> out_rows;
        for (std::size_t i = 0; i < q.size(); ++i) {
            out[i].assign(q[0].size() + 3, NAN); // three guards
            q_rows.push_back(q[i].data());
            out_rows.push_back(out[i].data());
        }
        std::vector<int> begin(q.size()), end(q.size());
        AttentionChunk c;
        c.k_type = type.k;
        c.v_type = type.v;
        c.head_dim = head_dim;
        c.n_queries = n_queries;
        c.q = q_rows.data();
        c.visible_begin = begin.data();
        c.visible_end = end.data();
        c.scale = scale;
        c.max = max.data();
        c.sum = sum.data();
        c.out = out_rows.data();
        c.scratch = scratch.begin();
        int n_keys = 0;
        for (Range range : seen)
            n_keys = std::max(n_keys, range.end);
        for (int origin = 0; origin < n_keys; origin += kAttnChunk) {
            c.n_keys = std::min(kAttnChunk, n_keys - origin);
            c.k_tiles = cache.k_tiles.data() + origin / kKvTile;
            c.v_tiles = cache.v_tiles.data() + origin / kKvTile;
            for (std::size_t i = 0; i < q.size(); ++i) {
                begin[i] = std::clamp(seen[i].begin - origin, 0, c.n_keys);
                end[i] = std::clamp(seen[i].end - origin, 0, c.n_keys);
            }
            c.queries_known = origin > 0;
            table.attention_chunk(c);
        }
        CHECK(scratch.guards_hold());
        for (std::size_t i = 0; i < q.size(); ++i) {
            for (std::size_t j = q[i].size(); j < out[i].size(); ++j)
                CHECK(std::isnan(out[i][j]));
            out[i].resize(q[i].size());
            if (finish && seen[i].begin < seen[i].end)
                table.attention_finish(out[i].data(), sum[i], head_dim);
        }
    }

    std::vector<std::vector<float>> out;
    std::vector<float> max, sum;
};

enum class Mask { all, causal, window, any };

std::vector<Range> ranges(int n_queries, int n_keys, Mask mask, Random& random) {
    std::vector<Range> seen;
    for (int i = 0; i < n_queries; ++i) {
        const int end = std::max(1, n_keys - n_queries + 1 + i);
        const int a = static_cast<int>(random.below(n_keys + 1));
        const int b = static_cast<int>(random.below(n_keys + 1));
        if (mask == Mask::all)
            seen.push_back({0, n_keys});
        else if (mask == Mask::causal)
            seen.push_back({0, end});
        else if (mask == Mask::window)
            seen.push_back({std::max(0, end - 20), end});
        else
            seen.push_back({std::min(a, b), std::max(a, b)}); // may be empty
    }
    return seen;
}

struct Case {
    int head_dim, n_queries, n_keys;
    Mask mask;
    Row kind;
    float scale = 0.125f;
};

/// Each query's result against the plain loops, over the keys that `seen` gives.
void check_ranges(Isa isa, Types type, const Case& t, const std::vector<Range>& seen,
                  Random& random) {
    CAPTURE(name(isa));
    CAPTURE(static_cast<int>(type.k));
    CAPTURE(static_cast<int>(type.v));
    CAPTURE(t.head_dim);
    CAPTURE(t.n_queries);
    CAPTURE(t.n_keys);
    CAPTURE(static_cast<int>(t.mask));
    CAPTURE(static_cast<int>(t.kind));
    const KernelTable& table = kernel_table(isa);
    const Cache cache(table, type, t.head_dim, t.n_keys, t.kind, random);
    std::vector<std::vector<float>> q;
    for (int i = 0; i < t.n_queries; ++i)
        q.push_back(numbers(t.head_dim, t.kind, random));
    const Together got(table, type, cache, q, seen, t.scale);
    for (std::size_t i = 0; i < q.size(); ++i) {
        if (seen[i].begin >= seen[i].end) {
            CHECK(got.max[i] == -kInf);
            CHECK(got.sum[i] == 0.0f);
            CHECK(std::isnan(got.out[i][0])); // untouched
        } else {
            CHECK(same_bits(got.out[i], plain_attention(cache, q[i], seen[i], t.scale)));
        }
    }
}

void check(Isa isa, Types type, const Case& t, Random& random) {
    check_ranges(isa, type, t, ranges(t.n_queries, t.n_keys, t.mask, random), random);
}

} // namespace

TEST_CASE("attention: the plain loops' bits for head sizes, numbers of queries and keys, masks") {
    Random random(1);
    for (Isa isa : supported_isas())
        for (const Types type : kv_types()) {
            for (int head_dim : {8, 16, 24, 40, 64, 72, 80, 96, 128, 136})
                for (Mask mask : {Mask::all, Mask::causal, Mask::window, Mask::any})
                    check(isa, type, {head_dim, 5, 75, mask, Row::ordinary}, random);
            for (int n_queries : {1, 2, 3, 4, 6, 7, 8, 9, 17})
                for (Mask mask : {Mask::causal, Mask::any})
                    check(isa, type, {32, n_queries, 100, mask, Row::ordinary}, random);
            for (int head_dim : {8, 24, 64, 72}) // queries enough that their tiles are widened
                for (Mask mask : {Mask::causal, Mask::window, Mask::any})
                    check(isa, type, {head_dim, 21, 90, mask, Row::ordinary}, random);
            for (int n_keys : {1, 2, 15, 16, 17, 31, 33, 64, 255, 256})
                check(isa, type, {16, 3, n_keys, Mask::causal, Row::ordinary}, random);
            for (int head_dim : {256, 512})
                for (Mask mask : {Mask::causal, Mask::window, Mask::any})
                    check(isa, type, {head_dim, 5, 60, mask, Row::ordinary, 0.0625f}, random);
        }
}

TEST_CASE("attention: chunks are merged as the plain loops merge them") {
    Random random(2);
    for (Isa isa : supported_isas())
        for (const Types type : kv_types())
            for (int n_keys : {257, 512, 600, 1030})
                for (Mask mask : {Mask::all, Mask::window, Mask::any})
                    check(isa, type, {24, 5, n_keys, mask, Row::large}, random);
}

TEST_CASE("attention: chunks on states of their own, merged in order, give the same bits") {
    Random random(9);
    for (Isa isa : supported_isas())
        for (int head_dim : {8, 40, 64})
            for (Row kind : {Row::ordinary, Row::large}) {
                CAPTURE(name(isa));
                CAPTURE(head_dim);
                const KernelTable& table = kernel_table(isa);
                const Cache cache(table, KvType::F16, head_dim, 700, kind, random);
                const std::vector<std::vector<float>> q = {numbers(head_dim, kind, random)};
                std::vector<float> out(static_cast<std::size_t>(head_dim), NAN);
                float max = -kInf, sum = 0.0f;
                for (int origin = 0; origin < 700; origin += kAttnChunk) {
                    const Range keys{origin, std::min(700, origin + kAttnChunk)};
                    Together part(table, KvType::F16, cache, q, {keys}, 0.3f, false);
                    part.out[0].resize((q[0].size() + 15) / 16 * 16, NAN);
                    table.attention_merge(head_dim, part.max[0], part.sum[0], part.out[0].data(),
                                          &max, &sum, out.data());
                }
                table.attention_finish(out.data(), sum, head_dim);
                CHECK(same_bits(out, plain_attention(cache, q[0], {0, 700}, 0.3f)));
            }
}

TEST_CASE("attention: a sliding window over chunks, at every offset of its begin in a tile") {
    Random random(6);
    // A prompt's queries one after the other: the first keys of a window go through a tile, through
    // a chunk's border, and leave whole chunks unseen.
    for (Isa isa : supported_isas())
        for (int window : {1, 7, 16, 17, 250, 256, 512})
            for (int first : {0, 238, 505, 770}) {
                CAPTURE(window);
                CAPTURE(first);
                const Case t{16, 36, first + 36, Mask::window, Row::ordinary, 0.3f};
                std::vector<Range> seen;
                for (int i = 0; i < t.n_queries; ++i)
                    seen.push_back({std::max(0, first + i + 1 - window), first + i + 1});
                for (const Types type : {Types(KvType::F16), Types(KvType::Q8_0)})
                    check_ranges(isa, type, t, seen, random);
            }
}

TEST_CASE("attention: queries of several sequences, with windows that do not meet") {
    Random random(7);
    const std::vector<Range> seen = {{0, 3},    {250, 300}, {17, 18},   {100, 100}, {300, 310},
                                     {31, 260}, {0, 310},   {256, 257}, {5, 250}};
    for (Isa isa : supported_isas())
        for (const Types type : kv_types())
            check_ranges(isa, type, {256, 9, 310, Mask::any, Row::ordinary, 0.0625f}, seen, random);
}

TEST_CASE("attention: tiles that every window has left are not read") {
    Random random(8);
    for (Isa isa : supported_isas())
        for (const Types type : {Types(KvType::F16), Types(KvType::Q8_0)}) {
            const KernelTable& table = kernel_table(isa);
            Cache cache(table, type, 40, 256, Row::ordinary, random);
            std::vector<std::vector<float>> q;
            std::vector<Range> seen;
            for (int i = 0; i < 6; ++i) {
                q.push_back(numbers(40, Row::ordinary, random));
                seen.push_back({50 + i, 130 + 2 * i});
            }
            const Together before(table, type, cache, q, seen, 0.2f);
            for (std::size_t t = 0; t < cache.k_tiles.size(); ++t)
                if (t < 50 / 16 || t > 139 / 16)
                    cache.k_tiles[t] = cache.v_tiles[t] = nullptr;
            const Together after(table, type, cache, q, seen, 0.2f);
            for (std::size_t i = 0; i < q.size(); ++i)
                CHECK(same_bits(before.out[i], after.out[i]));
        }
}

TEST_CASE("attention: hostile numbers") {
    Random random(3);
    for (Isa isa : supported_isas())
        for (const Types type : kv_types())
            for (Row kind : kAllRows)
                for (Mask mask : {Mask::causal, Mask::any})
                    check(isa, type, {40, 6, 290, mask, kind}, random);
}

TEST_CASE("attention: NaN in a key that only other queries see does not matter") {
    Random random(4);
    for (Isa isa : supported_isas())
        for (const Types type : kv_types()) {
            CAPTURE(name(isa));
            const KernelTable& table = kernel_table(isa);
            Cache cache(table, type, 32, 64, Row::ordinary, random);
            std::vector<std::vector<float>> q;
            for (int i = 0; i < 4; ++i)
                q.push_back(numbers(32, Row::ordinary, random));
            const std::vector<Range> seen = {{0, 40}, {0, 41}, {10, 50}, {0, 20}};
            const Together before(table, type, cache, q, seen, 0.25f);
            cache.spoil(40);
            const Together after(table, type, cache, q, seen, 0.25f);
            for (std::size_t i : {0u, 3u})
                CHECK(same_bits(before.out[i], after.out[i]));
            for (std::size_t i : {1u, 2u})
                CHECK(std::isnan(after.out[i][0]));
        }
}

TEST_CASE("attention: accuracy against double, over what the cache holds") {
    const std::pair<KvType, double> rows[] = {{KvType::F16, 2e-5}, {KvType::Q8_0, 5e-2}};
    for (const auto& row : rows) {
        Random random(5);
        const Cache cache(kernel_table(Isa::scalar), row.first, 64, 700, Row::ordinary, random);
        const auto q = numbers(64, Row::ordinary, random);
        std::vector<double> score(700), out(64);
        double max = -HUGE_VAL, sum = 0;
        for (int key = 0; key < 700; ++key) {
            double& s = score[static_cast<std::size_t>(key)];
            for (int d = 0; d < 64; ++d)
                s += static_cast<double>(q[static_cast<std::size_t>(d)]) * cache.k(key, d);
            max = std::max(max, s *= 0.125);
        }
        for (int key = 0; key < 700; ++key) {
            const double p = std::exp(score[static_cast<std::size_t>(key)] - max);
            sum += p;
            for (int d = 0; d < 64; ++d)
                out[static_cast<std::size_t>(d)] += p * cache.v(key, d);
        }
        for (Isa isa : supported_isas()) {
            const Together got(kernel_table(isa), row.first, cache, {q}, {{0, 700}}, 0.125f);
            for (std::size_t d = 0; d < 64; ++d)
                CHECK(std::abs(got.out[0][d] - out[d] / sum) < row.second);
        }
    }
}
