// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace sotto {

inline constexpr std::size_t kHugePage = std::size_t{2} << 20;

/// Zeroed memory straight from the system at a multiple of kHugePage; `huge`: in huge pages where
/// it has them. The system finds the memory when it is first touched, for each thread what that
/// touches. Null if there is no room for it; 0 < n_bytes <= 2^62.
void* map_pages(std::size_t n_bytes, bool huge);
/// Gives back what map_pages(n_bytes) gave.
void unmap_pages(void* memory, std::size_t n_bytes);

} // namespace sotto
