// SPDX-License-Identifier: Apache-2.0
#ifndef _WIN32
#include "engine/base/pages.h"

#include <cstdint>
#include <sys/mman.h>

namespace sotto {
namespace {

std::size_t whole(std::size_t n_bytes) {
    return (n_bytes + kHugePage - 1) / kHugePage * kHugePage;
}

} // namespace

void* map_pages(std::size_t n_bytes, bool huge) {
    const std::size_t size = whole(n_bytes);
    void* mapped =
        mmap(nullptr, size + kHugePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) {
        return nullptr;
    }
    auto* begin = static_cast<std::byte*>(mapped);
    const std::size_t before =
        (kHugePage - reinterpret_cast<std::uintptr_t>(begin) % kHugePage) % kHugePage;
    if (before > 0) {
        munmap(begin, before);
    }
    munmap(begin + before + size, kHugePage - before);
#ifdef MADV_HUGEPAGE
    madvise(begin + before, size, huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE); // hints: they may fail
#else
    (void)huge;
#endif
    return begin + before;
}

void unmap_pages(void* memory, std::size_t n_bytes) {
    munmap(memory, whole(n_bytes));
}

} // namespace sotto
#endif
