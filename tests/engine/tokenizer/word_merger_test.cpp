// SPDX-License-Identifier: Apache-2.0
#include "engine/tokenizer/word_merger.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <random>

using namespace sotto::tokenizer;

namespace {

using Ids = std::vector<std::int32_t>;

/// The definition: again and again the leftmost pair of the lowest rank.
Ids merged_by_definition(Ids ids, const std::vector<Merge>& merges) {
    std::map<std::pair<int, int>, Merge> by_pair;
    for (const Merge& m : merges) {
        by_pair.emplace(std::pair(m.left, m.right), m);
    }
    for (;;) {
        const Merge* best = nullptr;
        std::size_t at = 0;
        for (std::size_t i = 0; i + 1 < ids.size(); ++i) {
            const auto it = by_pair.find({ids[i], ids[i + 1]});
            if (it != by_pair.end() && (!best || it->second.rank < best->rank)) {
                best = &it->second;
                at = i;
            }
        }
        if (!best) {
            return ids;
        }
        ids[at] = best->result;
        ids.erase(ids.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    }
}

/// Spellings over two letters, merges of any two whose joined spelling exists, in any order: ranks
/// that no training would give, too.
std::vector<Merge> random_merges(std::mt19937& random, std::vector<std::string>& spellings) {
    spellings = {"a", "b"};
    std::vector<Merge> merges;
    for (int i = 0; i < 30; ++i) {
        const auto left = static_cast<std::int32_t>(random() % spellings.size());
        const auto right = static_cast<std::int32_t>(random() % spellings.size());
        const std::string both =
            spellings[static_cast<std::size_t>(left)] + spellings[static_cast<std::size_t>(right)];
        auto it = std::ranges::find(spellings, both);
        if (it == spellings.end()) {
            it = spellings.insert(it, both);
        }
        merges.push_back({left, right, 0, static_cast<std::int32_t>(it - spellings.begin())});
    }
    std::ranges::shuffle(merges, random);
    for (std::size_t i = 0; i < merges.size(); ++i) {
        merges[i].rank = static_cast<std::int32_t>(i);
    }
    return merges;
}

} // namespace

TEST_CASE("a word is merged as by definition, whatever the order of the merges") {
    std::mt19937 random(7);
    for (int round = 0; round < 300; ++round) {
        std::vector<std::string> spellings;
        const std::vector<Merge> merges = random_merges(random, spellings);
        const MergeTable table(merges, spellings.size());
        WordMerger merger(table);
        for (int word = 0; word < 10; ++word) {
            Ids ids(random() % 60);
            std::ranges::generate(ids, [&] { return static_cast<std::int32_t>(random() % 2); });
            Ids out = {-7}; // appended to, not replaced
            merger.run(ids, out);
            Ids expected = merged_by_definition(ids, merges);
            expected.insert(expected.begin(), -7);
            REQUIRE(out == expected);
        }
    }
}

TEST_CASE("of several merges of one pair the first counts; pairs without one are none") {
    const MergeTable table({{1, 2, 0, 3}, {1, 2, 1, 4}, {0, 2, 2, 4}}, 5);
    REQUIRE(table.find(1, 2) != nullptr);
    CHECK(table.find(1, 2)->result == 3);
    CHECK(table.find(0, 2)->result == 4);
    for (const auto& [left, right] :
         std::vector<std::pair<int, int>>{{2, 1}, {0, 0}, {0, 4}, {4, 4}, {4, 0}, {1, 1}, {1, 3}}) {
        CHECK(table.find(left, right) == nullptr);
    }
    CHECK(MergeTable({}, 3).find(2, 2) == nullptr);
}
