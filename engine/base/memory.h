// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace sotto {

/// Physical memory that could be had now without swapping; 0 where the system does not tell. The
/// limit of a container or control group counts where it is lower; file cache in it counts as free.
std::int64_t available_memory_bytes();
std::int64_t total_memory_bytes();

/// Logical processors this process may use, at least 1: its affinity and, on Linux, the CPU time
/// that its control group grants, rounded up.
int usable_cores();

} // namespace sotto
