// SPDX-License-Identifier: Apache-2.0
#include "engine/cache/kv_cache.h"

#include <string>
#include <utility>

namespace sotto::cache {

Result<KvPage> KvPool::take() {
    if (!free_.empty()) {
        KvPage page = std::move(free_.back());
        free_.pop_back();
        ++n_used_;
        return page;
    }
    if (held_bytes() + shape_.page_bytes() > max_bytes_) {
        return Error{ErrorCode::no_memory, "the KV cache may hold " +
                                               std::to_string(max_bytes_ >> 20) +
                                               " MiB and all of it is in use"};
    }
    auto page = AlignedBuffer::allocate(shape_.page_bytes());
    if (page) {
        ++n_used_;
    }
    return page;
}

void KvPool::give_back(KvPage page) {
    --n_used_;
    free_.push_back(std::move(page));
}

Result<void> KvSequence::reserve(std::int64_t n_tokens) {
    const std::int64_t before = capacity();
    while (capacity() < n_tokens) {
        auto page = pool_->take();
        if (!page) {
            truncate(before);
            return std::move(page).error();
        }
        pages_.push_back(*std::move(page));
    }
    return {};
}

void KvSequence::truncate(std::int64_t n_tokens) {
    const auto keep = static_cast<std::size_t>((n_tokens + kPageTokens - 1) / kPageTokens);
    while (pages_.size() > keep) {
        pool_->give_back(std::move(pages_.back()));
        pages_.pop_back();
    }
}

} // namespace sotto::cache
