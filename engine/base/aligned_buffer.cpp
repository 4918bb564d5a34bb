// SPDX-License-Identifier: Apache-2.0
#include "engine/base/aligned_buffer.h"

#include "engine/base/pages.h"

#include <cstring>
#include <new>
#include <string>

namespace sotto {
namespace {

/// Whether the memory comes in pages. An address sanitizer sees past the end of the heap's alone.
bool in_pages(std::size_t n_bytes) {
#if defined(__SANITIZE_ADDRESS__)
    constexpr bool kHeapAlone = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
    constexpr bool kHeapAlone = true;
#else
    constexpr bool kHeapAlone = false;
#endif
#else
    constexpr bool kHeapAlone = false;
#endif
    return !kHeapAlone && n_bytes >= AlignedBuffer::kMappedFrom;
}

void* allocate_zeroed(std::size_t n_bytes) {
    // Far below the address space, so that rounding up cannot wrap.
    if (n_bytes > (std::size_t{1} << 62)) {
        return nullptr;
    }
    if (in_pages(n_bytes)) {
        return map_pages(n_bytes, n_bytes >= AlignedBuffer::kHugeFrom);
    }
    void* memory =
        ::operator new(n_bytes, std::align_val_t(AlignedBuffer::kAlignment), std::nothrow);
    if (memory) {
        std::memset(memory, 0, n_bytes);
    }
    return memory;
}

} // namespace

Result<AlignedBuffer> AlignedBuffer::allocate(std::size_t n_bytes) {
    AlignedBuffer buffer;
    if (n_bytes == 0) {
        return buffer;
    }
    void* memory = allocate_zeroed(n_bytes);
    if (!memory) {
        return Error{ErrorCode::no_memory,
                     "the system has no " + std::to_string(n_bytes) + " bytes of memory left"};
    }
    buffer.data_ = static_cast<std::byte*>(memory);
    buffer.size_ = n_bytes;
    return buffer;
}

void AlignedBuffer::release() {
    if (data_ && in_pages(size_)) {
        unmap_pages(data_, size_);
    } else if (data_) {
        ::operator delete(data_, std::align_val_t(kAlignment));
    }
    data_ = nullptr;
}

} // namespace sotto
