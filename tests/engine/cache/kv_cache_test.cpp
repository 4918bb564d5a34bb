// SPDX-License-Identifier: Apache-2.0
#include "engine/cache/kv_cache.h"

#include <doctest/doctest.h>

#include <cstring>
#include <set>

using namespace sotto;
using namespace sotto::cache;

namespace {
constexpr KvShape kShape{3, 2, 32, kernels::KvType::F16};
}

TEST_CASE("a page holds what its shape says") {
    CHECK(kShape.tile_bytes() == 2 * 16 * 32);
    CHECK(kShape.bytes_per_token() ==
          2 * 3 * 2 * 32 * 2); // K and V, layers, heads, dimensions, bytes
    CHECK((KvShape{3, 2, 32, kernels::KvType::F32}).bytes_per_token() ==
          2 * kShape.bytes_per_token());
    // A scale of 2 bytes for 32 dimensions; those that are left over get a block of their own.
    CHECK((KvShape{3, 2, 32, kernels::KvType::Q8_0}).bytes_per_token() == 2 * 3 * 2 * (32 + 2 + 2));
    CHECK((KvShape{3, 2, 128, kernels::KvType::Q8_0}).bytes_per_token() == 2 * 3 * 2 * 4 * 34);
    CHECK((KvShape{3, 2, 40, kernels::KvType::Q8_0}).bytes_per_token() == 2 * 3 * 2 * 2 * 34);
}

TEST_CASE("tiles of a sequence do not overlap and stay where they are as it grows") {
    KvPool pool(kShape, std::size_t{64} << 20);
    KvSequence sequence(pool);
    REQUIRE(sequence.reserve(100).has_value());
    CHECK(sequence.capacity() == 128);
    std::set<std::byte*> tiles;
    for (int layer = 0; layer < 3; ++layer) {
        for (int head = 0; head < 2; ++head) {
            for (int tile = 0; tile < 8; ++tile) {
                for (std::byte* p :
                     {sequence.k_tile(layer, head, tile), sequence.v_tile(layer, head, tile)}) {
                    CHECK(tiles.insert(p).second);
                    std::memset(p, static_cast<int>(tiles.size() % 251), kShape.tile_bytes());
                }
            }
        }
    }
    std::byte* first = sequence.k_tile(0, 0, 0);
    const std::byte value = *first;
    REQUIRE(sequence.reserve(1000).has_value());
    CHECK(sequence.k_tile(0, 0, 0) == first);
    CHECK(*first == value);
}

TEST_CASE("the pool's limit is an error that says so, and pages come back") {
    KvPool pool(kShape, 3 * kShape.page_bytes());
    KvSequence a(pool), b(pool);
    REQUIRE(a.reserve(2 * kPageTokens).has_value());
    const auto refused = b.reserve(2 * kPageTokens);
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().code == ErrorCode::no_memory);
    CHECK(b.capacity() == 0); // it holds what it held before
    a.truncate(1);
    CHECK(a.capacity() == kPageTokens);
    CHECK(b.reserve(2 * kPageTokens).has_value());
    CHECK(pool.used_bytes() == 3 * kShape.page_bytes());
    b.truncate(0);
    CHECK(pool.used_bytes() == kShape.page_bytes());
}
