// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/memory.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <system_error>
#include <thread>
#include <vector>

namespace sotto {

/// Calls f(i) for each i below n, on this thread and as many more as there are cores and work for.
/// For files and checksums, outside the engine's pool. f must not throw.
template <class F>
void parallel_for(std::size_t n, const F& f) {
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
        for (std::size_t i = next++; i < n; i = next++) {
            f(i);
        }
    };
    std::vector<std::thread> helpers;
    const auto wanted = std::min<std::size_t>(n, static_cast<std::size_t>(usable_cores()));
    try {
        while (helpers.size() + 1 < wanted) {
            helpers.emplace_back(work);
        }
    } catch (const std::system_error&) { // no thread to be had: it goes without
    }
    work();
    for (std::thread& helper : helpers) {
        helper.join();
    }
}

} // namespace sotto
