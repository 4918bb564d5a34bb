// SPDX-License-Identifier: Apache-2.0
#include "engine/base/memory.h"

#include "engine/base/control_group.h"

#include <algorithm>
#include <fstream>
#include <string>
#include <thread>

#ifdef _WIN32
#define NOMINMAX
#include <windows.h>
#elif defined(__APPLE__)
#include <sys/sysctl.h>
#elif defined(__linux__)
#include <sched.h>
#endif

namespace sotto {

#if defined(_WIN32)

namespace {
MEMORYSTATUSEX status() {
    MEMORYSTATUSEX s{};
    s.dwLength = sizeof s;
    GlobalMemoryStatusEx(&s);
    return s;
}
} // namespace

std::int64_t available_memory_bytes() {
    return static_cast<std::int64_t>(status().ullAvailPhys);
}
std::int64_t total_memory_bytes() {
    return static_cast<std::int64_t>(status().ullTotalPhys);
}

#elif defined(__APPLE__)

std::int64_t total_memory_bytes() {
    std::int64_t n = 0;
    std::size_t size = sizeof n;
    return sysctlbyname("hw.memsize", &n, &size, nullptr, 0) == 0 ? n : 0;
}
// What is free changes with every page cache decision; half of what there is errs on the safe side.
std::int64_t available_memory_bytes() {
    return total_memory_bytes() / 2;
}

#else

namespace {

/// "MemAvailable:   123 kB" in bytes; 0 if there is no such line.
std::int64_t meminfo(const std::string& key) {
    std::ifstream in("/proc/meminfo");
    std::string name, unit;
    for (std::int64_t kb = 0; in >> name >> kb; std::getline(in, unit)) {
        if (name == key) {
            return kb * 1024;
        }
    }
    return 0;
}

} // namespace

std::int64_t total_memory_bytes() {
    return std::min(meminfo("MemTotal:"), own_control_group().memory_bytes);
}

std::int64_t available_memory_bytes() {
    return std::min(meminfo("MemAvailable:"), own_control_group().memory_free_bytes);
}

#endif

int usable_cores() {
    int n = static_cast<int>(std::thread::hardware_concurrency());
#ifdef __linux__
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        n = CPU_COUNT(&set);
    }
#endif
    return std::clamp(n, 1, std::max(1, own_control_group().n_cores));
}

} // namespace sotto
