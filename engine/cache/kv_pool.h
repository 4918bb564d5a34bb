// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/aligned_buffer.h"
#include "engine/base/result.h"
#include "engine/cache/kv_shape.h"

#include <cstddef>
#include <deque>
#include <vector>

namespace sotto::cache {

/// Memory for one page and how many hold it: sequences, and the prefix index. Who holds a page
/// alone may write to it.
struct KvPage {
    std::byte* data = nullptr; // KvShape::page_bytes()
    int n_holders = 0;
};

/// Hands out pages up to a limit and takes them back. Pages are cut from slabs that are large
/// enough for huge pages of the system: reading keys and values touches all of them for every
/// token. The system gives a slab's memory as it is touched, so memory grows with what is used.
/// Owned by the scheduler's thread.
class KvPool {
  public:
    KvPool(KvShape shape, std::size_t max_bytes) : shape_(shape), max_bytes_(max_bytes) {}
    KvPool(const KvPool&) = delete;
    KvPool& operator=(const KvPool&) = delete;

    /// A page that only the caller holds. no_memory if the limit is reached or the system has no
    /// more.
    Result<KvPage*> take();
    void hold(KvPage* page) { ++page->n_holders; }
    void let_go(KvPage* page);

    [[nodiscard]] const KvShape& shape() const { return shape_; }
    /// Memory of pages that someone holds, and of those that nobody holds any more.
    [[nodiscard]] std::size_t held_bytes() const { return pages_.size() * shape_.page_bytes(); }
    [[nodiscard]] std::size_t used_bytes() const { return n_used_ * shape_.page_bytes(); }
    [[nodiscard]] std::size_t max_bytes() const { return max_bytes_; }
    /// Acts on what is taken from now on.
    void set_max_bytes(std::size_t bytes) { max_bytes_ = bytes; }
    /// How many more pages the limit allows.
    [[nodiscard]] std::size_t n_left() const;

  private:
    Result<void> add_slab();

    KvShape shape_;
    std::size_t max_bytes_;
    std::size_t n_used_ = 0;
    std::deque<KvPage> pages_; // all that were ever cut; their addresses stay
    std::vector<KvPage*> free_;
    std::vector<AlignedBuffer> slabs_;
    std::size_t cut_bytes_ = 0; // of the last slab
};

} // namespace sotto::cache
