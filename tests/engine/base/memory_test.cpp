// SPDX-License-Identifier: Apache-2.0
#include "engine/base/control_group.h"
#include "engine/base/memory.h"
#include "tests/support/temp_file.h"

#include <doctest/doctest.h>

#include <thread>

using namespace sotto;
using test::TempFolder;
using test::write_file;

TEST_CASE("this machine has memory and a processor") {
    CHECK(total_memory_bytes() > 64 << 20);
    CHECK(available_memory_bytes() > 0);
    CHECK(available_memory_bytes() <= total_memory_bytes());
    CHECK(usable_cores() >= 1);
    CHECK(usable_cores() <= static_cast<int>(std::thread::hardware_concurrency()));
}

TEST_CASE("no control group is no limit") {
    const TempFolder root;
    const ControlGroupLimits limits = read_control_group(root.file("none"), "/a/b");
    CHECK(limits.memory_bytes == ControlGroupLimits::kNone);
    CHECK(limits.memory_free_bytes == ControlGroupLimits::kNone);
    CHECK(limits.n_cores == std::numeric_limits<int>::max());
}

TEST_CASE("the narrowest group counts, and file cache is free memory") {
    const TempFolder root;
    write_file(root.file("g/cpu.max"), "max 100000\n");
    write_file(root.file("g/memory.max"), "4000\n");
    write_file(root.file("g/memory.current"), "3500\n");
    write_file(root.file("g/memory.stat"), "anon 500\ninactive_file 2000\nactive_file 1000\n");
    write_file(root.file("g/inner/cpu.max"), "250000 100000\n");
    write_file(root.file("g/inner/memory.max"), "max\n");
    write_file(root.file("g/inner/memory.current"), "10\n");
    const std::string path = root.file("");

    const ControlGroupLimits inner = read_control_group(path, "/g/inner");
    CHECK(inner.n_cores == 3); // 2.5
    CHECK(inner.memory_bytes == 4000);
    CHECK(inner.memory_free_bytes == 3500);

    const ControlGroupLimits outer = read_control_group(path, "/g");
    CHECK(outer.n_cores == std::numeric_limits<int>::max());
    CHECK(outer.memory_bytes == 4000);
}

TEST_CASE("a full group leaves nothing, a strange file is no limit") {
    const TempFolder root;
    write_file(root.file("memory.max"), "4000\n");
    write_file(root.file("memory.current"), "5000\n");
    write_file(root.file("cpu.max"), "0 0\n");
    const ControlGroupLimits limits = read_control_group(root.file(""), "/");
    CHECK(limits.memory_free_bytes == 0);
    CHECK(limits.n_cores == std::numeric_limits<int>::max());
}
