// SPDX-License-Identifier: Apache-2.0
#include "engine/cache/kv_sequence.h"

#include <cstring>
#include <utility>

namespace sotto::cache {

Result<void> KvSequence::make_own(std::size_t index, bool keep_contents) {
    KvPage* shared = pages_[index];
    if (shared->n_holders == 1) {
        return {};
    }
    auto own = pool_->take();
    if (!own) {
        return std::move(own).error();
    }
    if (keep_contents) {
        std::memcpy((*own)->data, shared->data, pool_->shape().page_bytes());
    }
    pages_[index] = *own;
    pool_->let_go(shared);
    return {};
}

Result<void> KvSequence::reserve(std::int64_t begin, std::int64_t end) {
    const std::int64_t before = capacity();
    for (std::int64_t i = begin / kPageTokens; i * kPageTokens < end && i * kPageTokens < before;
         ++i) {
        if (auto done = make_own(static_cast<std::size_t>(i), i * kPageTokens < begin); !done) {
            return done;
        }
    }
    while (capacity() < end) {
        auto page = pool_->take();
        if (!page) {
            truncate(before);
            return std::move(page).error();
        }
        pages_.push_back(*page);
    }
    return {};
}

void KvSequence::append_shared(std::span<KvPage* const> pages) {
    for (KvPage* page : pages) {
        pool_->hold(page);
        pages_.push_back(page);
    }
}

void KvSequence::share(std::size_t index, KvPage* page) {
    pool_->hold(page);
    pool_->let_go(std::exchange(pages_[index], page));
}

void KvSequence::truncate(std::int64_t n_tokens) {
    const auto keep = static_cast<std::size_t>((n_tokens + kPageTokens - 1) / kPageTokens);
    while (pages_.size() > keep) {
        pool_->let_go(pages_.back());
        pages_.pop_back();
    }
}

} // namespace sotto::cache
