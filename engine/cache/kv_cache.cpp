// SPDX-License-Identifier: Apache-2.0
#include "engine/cache/kv_cache.h"

#include <algorithm>
#include <string>
#include <utility>

namespace sotto::cache {
namespace {

constexpr std::size_t kSlabBytes = std::size_t{32} << 20;

} // namespace

Result<KvPage> KvPool::take() {
    if (!free_.empty()) {
        const KvPage page = free_.back();
        free_.pop_back();
        ++n_used_;
        return page;
    }
    if (held_bytes() + shape_.page_bytes() > max_bytes_) {
        return Error{ErrorCode::no_memory, "the KV cache may hold " +
                                               std::to_string(max_bytes_ >> 20) +
                                               " MiB and all of it is in use"};
    }
    if (slabs_.empty() || cut_bytes_ + shape_.page_bytes() > slabs_.back().size()) {
        if (auto added = add_slab(); !added) {
            return std::move(added).error();
        }
    }
    const KvPage page = slabs_.back().data() + cut_bytes_;
    cut_bytes_ += shape_.page_bytes();
    ++n_used_;
    return page;
}

/// As many pages as fit a slab, but no more than the limit leaves. The system gives the memory as
/// it is touched.
Result<void> KvPool::add_slab() {
    const std::size_t page = shape_.page_bytes();
    const std::size_t wanted = std::max<std::size_t>(1, kSlabBytes / page);
    const std::size_t left = (max_bytes_ - held_bytes()) / page;
    auto slab = AlignedBuffer::allocate(std::min(wanted, left) * page);
    if (!slab) {
        return std::move(slab).error();
    }
    slabs_.push_back(*std::move(slab));
    cut_bytes_ = 0;
    return {};
}

void KvPool::give_back(KvPage page) {
    --n_used_;
    free_.push_back(page);
}

Result<void> KvSequence::reserve(std::int64_t n_tokens) {
    const std::int64_t before = capacity();
    while (capacity() < n_tokens) {
        auto page = pool_->take();
        if (!page) {
            truncate(before);
            return std::move(page).error();
        }
        pages_.push_back(*page);
    }
    return {};
}

void KvSequence::truncate(std::int64_t n_tokens) {
    const auto keep = static_cast<std::size_t>((n_tokens + kPageTokens - 1) / kPageTokens);
    while (pages_.size() > keep) {
        pool_->give_back(pages_.back());
        pages_.pop_back();
    }
}

} // namespace sotto::cache
