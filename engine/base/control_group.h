// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <string>

namespace sotto {

/// What Linux control groups (version 2) leave to this process. Containers are limited this way.
struct ControlGroupLimits {
    static constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();
    std::int64_t memory_bytes = kNone;
    std::int64_t memory_free_bytes = kNone; // file cache counts as free: it gives way
    int n_cores = std::numeric_limits<int>::max();
};

/// The narrowest limits of `group` ("/user.slice/a.service", as /proc/self/cgroup has it) and the
/// groups around it, below the folder `root` in which the groups are mounted. What is not there or
/// cannot be read is no limit.
ControlGroupLimits read_control_group(const std::string& root, std::string group);

/// Of this process; no limits on systems other than Linux.
ControlGroupLimits own_control_group();

} // namespace sotto
