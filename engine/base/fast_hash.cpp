// SPDX-License-Identifier: Apache-2.0
#include "engine/base/fast_hash.h"

#include <xxhash.h>

#include <new>

namespace sotto {
namespace {

Hash128 as_array(XXH128_hash_t hash) {
    return {hash.low64, hash.high64};
}

} // namespace

Hash128 hash_bytes(std::span<const std::byte> bytes) {
    return as_array(XXH3_128bits(bytes.data(), bytes.size()));
}

struct FastHash::State {
    struct Free {
        void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
    };
    std::unique_ptr<XXH3_state_t, Free> xxh{XXH3_createState()};
};

FastHash::FastHash() : state_(std::make_unique<State>()) {
    if (!state_->xxh) {
        throw std::bad_alloc();
    }
    XXH3_128bits_reset(state_->xxh.get());
}

FastHash::~FastHash() = default;

void FastHash::add(std::span<const std::byte> bytes) {
    XXH3_128bits_update(state_->xxh.get(), bytes.data(), bytes.size());
}

void FastHash::add_text(std::string_view text) {
    const std::uint64_t size = text.size();
    add(std::as_bytes(std::span(&size, 1)));
    add(std::as_bytes(std::span(text)));
}

Hash128 FastHash::get() const {
    return as_array(XXH3_128bits_digest(state_->xxh.get()));
}

} // namespace sotto
