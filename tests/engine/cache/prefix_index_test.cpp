// SPDX-License-Identifier: Apache-2.0
#include "engine/cache/prefix_index.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <random>
#include <set>
#include <vector>

using namespace sotto;
using namespace sotto::cache;

namespace {

using Ids = std::vector<std::int32_t>;
constexpr KvShape kShape{1, 1, 8, kernels::KvType::F32, kernels::KvType::F32};
const std::size_t kPageBytes = kShape.page_bytes();

Ids ids(int n, int seed = 0) {
    Ids list;
    for (int i = 0; i < n; ++i) {
        list.push_back(1000 * seed + i);
    }
    return list;
}

Ids joined(Ids a, const Ids& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

struct Fixture {
    KvPool pool{kShape, 64 * kPageBytes};
    PrefixIndex index{pool};

    /// Computes `tokens` as a request would; the index knows them afterwards. Returns what it had
    /// not to compute.
    std::int64_t compute(const Ids& tokens) {
        KvSequence kv(pool);
        const std::int64_t n = index.find(tokens, kv);
        REQUIRE(kv.reserve(n, static_cast<std::int64_t>(tokens.size())).has_value());
        index.add(tokens, kv);
        return n;
    }
    std::int64_t known(const Ids& tokens) {
        KvSequence kv(pool);
        return index.find(tokens, kv);
    }
};

} // namespace

TEST_CASE_FIXTURE(Fixture, "the longest prefix is found, to the token") {
    CHECK(compute(ids(200)) == 0);
    CHECK(known(ids(200)) == 200);
    CHECK(known(ids(300)) == 200);
    CHECK(known(ids(150)) == 150);
    CHECK(known(ids(64)) == 64);
    CHECK(known(ids(63)) == 63);
    CHECK(known({}) == 0);
    CHECK(known(ids(200, 1)) == 0);
    CHECK(known(joined(ids(90), ids(90, 2))) == 90);
    CHECK(compute(joined(ids(90), ids(90, 2))) == 90);
    CHECK(compute(joined(ids(100), ids(90, 3))) == 100);
    CHECK(known(joined(ids(90), ids(90, 2))) == 180);
    CHECK(known(joined(ids(100), ids(90, 3))) == 190);
    CHECK(known(ids(200)) == 200);
}

TEST_CASE_FIXTURE(Fixture, "equal pages are kept once, also if two computed them") {
    const Ids tokens = ids(130);
    KvSequence a(pool), b(pool);
    REQUIRE(a.reserve(0, 130).has_value());
    REQUIRE(b.reserve(0, 130).has_value());
    CHECK(pool.used_bytes() == 6 * kPageBytes);
    index.add(std::span(tokens).first(128), a);
    index.add(std::span(tokens).first(128), b);
    CHECK(a.page(0) == b.page(0));
    CHECK(a.page(1) == b.page(1));
    CHECK(a.page(2) != b.page(2)); // both write to it
    CHECK(pool.used_bytes() == 4 * kPageBytes);
}

TEST_CASE_FIXTURE(Fixture, "a turn more takes the place of the part of a page that was known") {
    compute(ids(70));
    CHECK(index.n_pages() == 2);
    CHECK(compute(ids(100)) == 70);
    CHECK(index.n_pages() == 2);
    CHECK(compute(ids(80)) == 80);
    CHECK(index.n_pages() == 2); // less than is known
    CHECK(compute(ids(128)) == 100);
    CHECK(index.n_pages() == 2);
}

TEST_CASE_FIXTURE(Fixture, "what others read next is taken up page by page") {
    const Ids tokens = ids(300);
    KvSequence slow(pool);
    REQUIRE(slow.reserve(0, 64).has_value());
    index.add(std::span(tokens).first(64), slow);
    compute(tokens);
    CHECK(index.find_pages(tokens, 64, slow) == 256); // whole pages only
    CHECK(slow.capacity() == 256);
    KvSequence none(pool);
    CHECK(index.find_pages(ids(63), 0, none) == 0);
    CHECK(index.find_pages(tokens, 0, none) == 256);
    KvSequence unknown(pool);
    REQUIRE(unknown.reserve(0, 64).has_value());
    CHECK(index.find_pages(ids(300, 5), 64, unknown) == 64);
}

TEST_CASE_FIXTURE(Fixture, "what was not used for longest goes first, and nothing that is held") {
    compute(ids(128, 1));
    compute(ids(128, 2));
    compute(ids(128, 3));
    known(ids(128, 1));
    KvSequence held(pool);
    REQUIRE(index.find(ids(64, 2), held) == 64);
    CHECK(index.n_evictable() == 5);
    CHECK(index.evict_one());
    CHECK(known(ids(128, 2)) == 64); // its beginning was looked for, what follows was not
    CHECK(index.evict_one());
    CHECK(known(ids(128, 3)) == 64);
    CHECK(index.evict_one());
    CHECK(index.evict_one());
    CHECK(index.evict_one());
    CHECK(known(ids(128, 1)) == 0);
    CHECK(known(ids(128, 2)) == 64);
    CHECK_FALSE(index.evict_one());
    held.truncate(0);
    CHECK(index.evict_one());
    CHECK_FALSE(index.evict_one());
    CHECK(pool.used_bytes() == 0);
}

TEST_CASE("random requests: what is found is what was computed, and no page is lost") {
    KvPool pool{kShape, 40 * kPageBytes};
    {
        PrefixIndex index{pool};
        std::mt19937 random(7);
        const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
        std::vector<Ids> histories{ids(10)};
        // Each page says which tokens it holds: the key of position p begins with the token.
        const auto word = [](const KvSequence& kv, std::int64_t pos) {
            return reinterpret_cast<std::int32_t*>(kv.k_tile(0, 0, pos / 16)) + pos % 16;
        };
        for (int round = 0; round < 3000; ++round) {
            Ids tokens = histories[below(histories.size())];
            tokens.resize(1 + below(tokens.size()));
            for (std::size_t n = below(200); n > 0; --n) {
                tokens.push_back(static_cast<std::int32_t>(below(3)));
            }
            tokens.resize(std::min<std::size_t>(tokens.size(), 600));
            KvSequence kv(pool);
            std::int64_t n = index.find(tokens, kv);
            int wrong = 0;
            for (std::int64_t pos = 0; pos < n; ++pos) {
                wrong += *word(kv, pos) != tokens[static_cast<std::size_t>(pos)] ? 1 : 0;
            }
            REQUIRE(wrong == 0);
            while (n < static_cast<std::int64_t>(tokens.size())) {
                const std::int64_t end = std::min<std::int64_t>(
                    static_cast<std::int64_t>(tokens.size()), n + 1 + static_cast<int>(below(90)));
                while (!kv.reserve(n, end).has_value()) {
                    REQUIRE(index.evict_one());
                }
                for (; n < end; ++n) {
                    *word(kv, n) = tokens[static_cast<std::size_t>(n)];
                }
                const auto whole = static_cast<std::size_t>(n / kPageTokens * kPageTokens);
                index.add(std::span(tokens).first(whole), kv);
            }
            index.add(tokens, kv);
            histories.push_back(std::move(tokens));
            if (histories.size() > 30) {
                histories.erase(histories.begin() + static_cast<std::ptrdiff_t>(below(30)));
            }
            kv.truncate(0);
            REQUIRE(pool.used_bytes() == index.n_pages() * kPageBytes);
        }
    }
    CHECK(pool.used_bytes() == 0);
}
