// SPDX-License-Identifier: Apache-2.0
#include "engine/base/aligned_buffer.h"

#include <cstdlib>
#include <cstring>
#include <new>
#include <string>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace sotto {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;

std::size_t alignment_of(std::size_t n_bytes) {
    return n_bytes >= 2 * kHugePage ? kHugePage : AlignedBuffer::kAlignment;
}

} // namespace

Result<AlignedBuffer> AlignedBuffer::allocate(std::size_t n_bytes) {
    AlignedBuffer buffer;
    if (n_bytes == 0) {
        return buffer;
    }
    const std::size_t alignment = alignment_of(n_bytes);
    // Far below the address space, so that rounding up cannot wrap.
    void* memory = n_bytes > (std::size_t{1} << 62)
                       ? nullptr
                       : ::operator new(n_bytes, std::align_val_t(alignment), std::nothrow);
    if (!memory) {
        return Error{ErrorCode::no_memory,
                     "the system has no " + std::to_string(n_bytes) + " bytes of memory left"};
    }
#ifdef __linux__
    if (alignment == kHugePage) {
        madvise(memory, n_bytes / kHugePage * kHugePage,
                MADV_HUGEPAGE); // a hint: failing costs speed alone
    }
#endif
    std::memset(memory, 0, n_bytes);
    buffer.data_ = static_cast<std::byte*>(memory);
    buffer.size_ = n_bytes;
    return buffer;
}

void AlignedBuffer::release() {
    if (data_) {
        ::operator delete(data_, std::align_val_t(alignment_of(size_)));
        data_ = nullptr;
    }
}

} // namespace sotto
