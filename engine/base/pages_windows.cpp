// SPDX-License-Identifier: Apache-2.0
#ifdef _WIN32
#include "engine/base/pages.h"

#include <cstdint>
#define NOMINMAX
#include <windows.h>

namespace sotto {

// Huge pages need a privilege that a desktop program does not have. The begin of the reservation is
// found again from the memory, which lies less than a huge page after it.
void* map_pages(std::size_t n_bytes, bool) {
    void* reserved = VirtualAlloc(nullptr, n_bytes + kHugePage, MEM_RESERVE, PAGE_READWRITE);
    if (!reserved) {
        return nullptr;
    }
    const auto address = reinterpret_cast<std::uintptr_t>(reserved);
    void* memory =
        static_cast<std::byte*>(reserved) + (kHugePage - address % kHugePage) % kHugePage;
    if (!VirtualAlloc(memory, n_bytes, MEM_COMMIT, PAGE_READWRITE)) {
        VirtualFree(reserved, 0, MEM_RELEASE);
        return nullptr;
    }
    return memory;
}

void unmap_pages(void* memory, std::size_t) {
    MEMORY_BASIC_INFORMATION info{};
    if (VirtualQuery(memory, &info, sizeof info) != 0) {
        VirtualFree(info.AllocationBase, 0, MEM_RELEASE);
    }
}

} // namespace sotto
#endif
