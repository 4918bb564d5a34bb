// SPDX-License-Identifier: Apache-2.0
#include "engine/cache/kv_sequence.h"

#include <doctest/doctest.h>

#include <cstring>
#include <set>
#include <utility>

using namespace sotto;
using namespace sotto::cache;

namespace {
using kernels::KvType;
constexpr KvShape kShape{3, 2, 32, KvType::F16, KvType::F16};
constexpr KvShape shape_of(int head_dim, KvType k, KvType v) {
    return {3, 2, head_dim, k, v};
}

} // namespace

TEST_CASE("a page holds what its shape says") {
    CHECK(kShape.k_tile_bytes() == 2 * 16 * 32);
    CHECK(kShape.bytes_per_token() ==
          2 * 3 * 2 * 32 * 2); // K and V, layers, heads, dimensions, bytes
    CHECK(shape_of(32, KvType::F32, KvType::F32).bytes_per_token() == 2 * kShape.bytes_per_token());
    // A scale of 2 bytes for 32 dimensions; those that are left over get a block of their own.
    constexpr KvType q8 = KvType::Q8_0;
    CHECK(shape_of(32, q8, q8).bytes_per_token() == 2 * 3 * 2 * (32 + 2 + 2));
    CHECK(shape_of(128, q8, q8).bytes_per_token() == 2 * 3 * 2 * 4 * 34);
    CHECK(shape_of(40, q8, q8).bytes_per_token() == 2 * 3 * 2 * 2 * 34);
    CHECK(shape_of(128, q8, KvType::F32).bytes_per_token() == 3 * 2 * (4 * 34 + 4 * 128));
}

TEST_CASE("tiles of a sequence do not overlap and stay where they are as it grows") {
    const KvShape shape = shape_of(32, KvType::Q8_0, KvType::F32);
    KvPool pool(shape, std::size_t{64} << 20);
    KvSequence sequence(pool);
    REQUIRE(sequence.reserve(0, 100).has_value());
    CHECK(sequence.capacity() == 128);
    std::set<std::byte*> bytes;
    int overlapping = 0;
    for (int layer = 0; layer < 3; ++layer) {
        for (int head = 0; head < 2; ++head) {
            for (int tile = 0; tile < 8; ++tile) {
                for (const auto& [p, size] :
                     {std::pair{sequence.k_tile(layer, head, tile), shape.k_tile_bytes()},
                      std::pair{sequence.v_tile(layer, head, tile), shape.v_tile_bytes()}}) {
                    for (std::size_t i = 0; i < size; ++i) {
                        overlapping += bytes.insert(p + i).second ? 0 : 1;
                    }
                }
            }
        }
    }
    CHECK(overlapping == 0);
    CHECK(bytes.size() == 2 * shape.page_bytes());
    std::byte* first = sequence.k_tile(0, 0, 0);
    REQUIRE(sequence.reserve(100, 1000).has_value());
    CHECK(sequence.k_tile(0, 0, 0) == first);
}

TEST_CASE("the pool's limit is an error that says so, and pages come back") {
    KvPool pool(kShape, 3 * kShape.page_bytes());
    KvSequence a(pool), b(pool);
    REQUIRE(a.reserve(0, 2 * kPageTokens).has_value());
    const auto refused = b.reserve(0, 2 * kPageTokens);
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().code == ErrorCode::no_memory);
    CHECK(b.capacity() == 0); // it holds what it held before
    a.truncate(1);
    CHECK(a.capacity() == kPageTokens);
    CHECK(b.reserve(0, 2 * kPageTokens).has_value());
    CHECK(pool.used_bytes() == 3 * kShape.page_bytes());
    b.truncate(0);
    CHECK(pool.used_bytes() == kShape.page_bytes());
}

TEST_CASE("a shared page is copied before it is written to, and only then") {
    KvPool pool(kShape, 8 * kShape.page_bytes());
    KvSequence a(pool), b(pool);
    REQUIRE(a.reserve(0, 2 * kPageTokens).has_value());
    std::memset(a.page(0)->data, 1, kShape.page_bytes());
    std::memset(a.page(1)->data, 2, kShape.page_bytes());
    KvPage* const pages[] = {a.page(0), a.page(1)};
    b.append_shared(pages);
    CHECK(pool.used_bytes() == 2 * kShape.page_bytes());
    REQUIRE(b.reserve(kPageTokens + 10, kPageTokens + 20).has_value());
    CHECK(b.page(0) == a.page(0));
    REQUIRE(b.page(1) != a.page(1));
    CHECK(std::memcmp(b.page(1)->data, a.page(1)->data, kShape.page_bytes()) == 0);
    KvPage* own = b.page(1);
    REQUIRE(b.reserve(kPageTokens + 20, kPageTokens + 30).has_value());
    CHECK(b.page(1) == own); // it is its own already
    REQUIRE(a.reserve(kPageTokens, 2 * kPageTokens).has_value());
    CHECK(a.page(1) == pages[1]); // no one else holds it any more
    b.share(1, a.page(1));
    CHECK(a.page(1)->n_holders == 2);
    CHECK(pool.used_bytes() == 2 * kShape.page_bytes());
    a.truncate(0);
    CHECK(pool.used_bytes() == 2 * kShape.page_bytes());
    b.truncate(kPageTokens);
    CHECK(pool.used_bytes() == kShape.page_bytes());
}

TEST_CASE("a copy for which there is no memory is an error that changes nothing before it") {
    KvPool pool(kShape, 2 * kShape.page_bytes());
    KvSequence a(pool), b(pool);
    REQUIRE(a.reserve(0, 2 * kPageTokens).has_value());
    KvPage* const pages[] = {a.page(0), a.page(1)};
    b.append_shared(pages);
    const auto refused = b.reserve(70, 80);
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().code == ErrorCode::no_memory);
    CHECK(b.page(0) == a.page(0));
    CHECK(b.page(1) == a.page(1));
    pool.set_max_bytes(3 * kShape.page_bytes());
    CHECK(b.reserve(70, 80).has_value());
}
