// SPDX-License-Identifier: Apache-2.0
#include "engine/cache/kv_pool.h"

#include "engine/base/memory.h"

#include <algorithm>
#include <string>
#include <utility>

namespace sotto::cache {
namespace {

constexpr std::size_t kSlabBytes = std::size_t{32} << 20;
// The system lends memory that it may not have: below this nothing more is asked of it.
constexpr std::int64_t kSpareBytes = std::int64_t{64} << 20;

} // namespace

std::size_t KvPool::n_left() const {
    const std::size_t limit = max_bytes_ / shape_.page_bytes();
    return limit > n_used_ ? limit - n_used_ : 0;
}

Result<KvPage*> KvPool::take() {
    if (n_left() == 0) {
        return Error{ErrorCode::no_memory, "the KV cache may hold " +
                                               std::to_string(max_bytes_ >> 20) +
                                               " MiB and all of it is in use"};
    }
    if (free_.empty()) {
        if (slabs_.empty() || cut_bytes_ + shape_.page_bytes() > slabs_.back().size()) {
            if (auto added = add_slab(); !added) {
                return std::move(added).error();
            }
        }
        free_.push_back(&pages_.emplace_back(KvPage{slabs_.back().data() + cut_bytes_, 0}));
        cut_bytes_ += shape_.page_bytes();
    }
    KvPage* page = free_.back();
    free_.pop_back();
    page->n_holders = 1;
    ++n_used_;
    return page;
}

/// As many pages as fit a slab, but no more than the limit leaves.
Result<void> KvPool::add_slab() {
    const std::size_t page = shape_.page_bytes();
    const std::size_t wanted = std::max<std::size_t>(1, kSlabBytes / page);
    const std::size_t bytes = std::min(wanted, n_left()) * page;
    const std::int64_t available = available_memory_bytes();
    if (available > 0 && available < static_cast<std::int64_t>(bytes) + kSpareBytes) {
        return Error{ErrorCode::no_memory,
                     "the KV cache needs " + std::to_string(bytes >> 20) + " MiB more, and only " +
                         std::to_string(available >> 20) + " MiB of memory are free"};
    }
    auto slab = AlignedBuffer::allocate(bytes);
    if (!slab) {
        return std::move(slab).error();
    }
    slabs_.push_back(*std::move(slab));
    cut_bytes_ = 0;
    return {};
}

void KvPool::let_go(KvPage* page) {
    if (--page->n_holders == 0) {
        --n_used_;
        free_.push_back(page);
    }
}

} // namespace sotto::cache
