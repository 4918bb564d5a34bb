// SPDX-License-Identifier: Apache-2.0
#include "engine/base/control_group.h"

#include <algorithm>
#include <fstream>

namespace sotto {
namespace {

constexpr std::int64_t kNone = ControlGroupLimits::kNone;

/// The number a file begins with; kNone for "max" or no file.
std::int64_t number_in(const std::string& path) {
    std::ifstream in(path);
    std::int64_t n = 0;
    return in >> n && n >= 0 ? n : kNone;
}

std::int64_t file_cache_bytes(const std::string& folder) {
    std::ifstream in(folder + "/memory.stat");
    std::string name;
    std::int64_t sum = 0;
    for (std::int64_t n = 0; in >> name >> n;) {
        if (name == "active_file" || name == "inactive_file") {
            sum += n;
        }
    }
    return sum;
}

/// "200000 100000": microseconds of CPU time in a period of so many.
int cores_in(const std::string& folder) {
    std::ifstream in(folder + "/cpu.max");
    std::int64_t quota = 0, period = 0;
    if (!(in >> quota >> period) || quota <= 0 || period <= 0) {
        return std::numeric_limits<int>::max();
    }
    const std::int64_t n = quota / period + (quota % period != 0 ? 1 : 0);
    return static_cast<int>(std::min<std::int64_t>(n, std::numeric_limits<int>::max()));
}

void narrow(ControlGroupLimits& limits, const std::string& folder) {
    limits.n_cores = std::min(limits.n_cores, cores_in(folder));
    const std::int64_t max = number_in(folder + "/memory.max");
    const std::int64_t used = number_in(folder + "/memory.current");
    if (max == kNone) {
        return;
    }
    limits.memory_bytes = std::min(limits.memory_bytes, max);
    if (used != kNone) {
        const std::int64_t held = std::max<std::int64_t>(0, used - file_cache_bytes(folder));
        limits.memory_free_bytes =
            std::min(limits.memory_free_bytes, std::max<std::int64_t>(0, max - held));
    }
}

} // namespace

ControlGroupLimits read_control_group(const std::string& root, std::string group) {
    ControlGroupLimits limits;
    while (!group.empty() && group != "/") {
        narrow(limits, root + group);
        group.erase(group.rfind('/') == std::string::npos ? 0 : group.rfind('/'));
    }
    narrow(limits, root);
    return limits;
}

ControlGroupLimits own_control_group() {
#ifdef __linux__
    std::ifstream in("/proc/self/cgroup");
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with("0::/")) { // version 2 has this one line
            return read_control_group("/sys/fs/cgroup", line.substr(3));
        }
    }
#endif
    return {};
}

} // namespace sotto
