// SPDX-License-Identifier: Apache-2.0
#include "engine/tokenizer/token_index.h"

#include <bit>
#include <cstring>
#include <random>

namespace sotto::tokenizer {
namespace {

struct SipState {
    std::uint64_t v0, v1, v2, v3;

    void round() {
        v0 += v1;
        v2 += v3;
        v1 = std::rotl(v1, 13) ^ v0;
        v3 = std::rotl(v3, 16) ^ v2;
        v0 = std::rotl(v0, 32);
        v2 += v1;
        v0 += v3;
        v1 = std::rotl(v1, 17) ^ v2;
        v3 = std::rotl(v3, 21) ^ v0;
        v2 = std::rotl(v2, 32);
    }
    void absorb(std::uint64_t word) {
        v3 ^= word;
        round();
        v0 ^= word;
    }
};

struct Key {
    std::uint64_t low, high;
};

const Key& key() {
    static const Key drawn = [] {
        std::random_device device;
        const auto word = [&] { return std::uint64_t{device()} << 32 | device(); };
        return Key{word(), word()};
    }();
    return drawn;
}

/// Up to 8 bytes, in this machine's order: no hash is kept anywhere.
std::uint64_t word_of(std::string_view bytes) {
    std::uint64_t word = 0;
    if (!bytes.empty()) { // else it may point nowhere
        std::memcpy(&word, bytes.data(), bytes.size());
    }
    return word;
}

} // namespace

std::uint64_t keyed_hash(std::string_view bytes) {
    const auto [low, high] = key();
    SipState s{low ^ 0x736f6d6570736575, high ^ 0x646f72616e646f6d, low ^ 0x6c7967656e657261,
               high ^ 0x7465646279746573};
    const std::uint64_t n_bytes = bytes.size();
    for (; bytes.size() >= 8; bytes.remove_prefix(8)) {
        s.absorb(word_of(bytes.substr(0, 8)));
    }
    s.absorb(n_bytes << 56 ^ word_of(bytes));
    s.v2 ^= 0xFF;
    for (int i = 0; i < 3; ++i) {
        s.round();
    }
    return s.v0 ^ s.v1 ^ s.v2 ^ s.v3;
}

void TokenIndex::build(std::span<const std::string> tokens) {
    tokens_ = tokens;
    slots_.assign(std::bit_ceil(2 * tokens.size() + 1), {});
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (tokens[i].empty()) {
            continue;
        }
        std::uint32_t tag = 0;
        Slot& slot = slots_[slot_of(tokens[i], tag)];
        if (slot.id >= 0) {
            ++n_doubled_;
        } else {
            slot = {tag, static_cast<std::int32_t>(i)};
        }
    }
}

/// The slot that holds a spelling, or the free one where it would be put.
std::size_t TokenIndex::slot_of(std::string_view spelling, std::uint32_t& tag) const {
    const std::uint64_t hash = keyed_hash(spelling);
    tag = static_cast<std::uint32_t>(hash >> 32);
    std::size_t at = static_cast<std::size_t>(hash) & (slots_.size() - 1);
    while (slots_[at].id >= 0 && (slots_[at].tag != tag ||
                                  tokens_[static_cast<std::size_t>(slots_[at].id)] != spelling)) {
        at = (at + 1) & (slots_.size() - 1);
    }
    return at;
}

std::int32_t TokenIndex::find(std::string_view spelling) const {
    std::uint32_t tag = 0;
    return slots_.empty() || spelling.empty() ? -1 : slots_[slot_of(spelling, tag)].id;
}

void CharacterIndex::add(char32_t c, std::int32_t id) {
    const std::size_t page = c >> 8;
    if (page >= pages_.size()) {
        pages_.resize(page + 1);
    }
    if (pages_[page].empty()) {
        pages_[page].assign(256, -1);
    }
    std::int32_t& entry = pages_[page][c & 0xFF];
    entry = entry < 0 ? id : entry;
}

} // namespace sotto::tokenizer
