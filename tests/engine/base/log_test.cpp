// SPDX-License-Identifier: Apache-2.0
#ifndef _WIN32 // redirects a file descriptor
#include "engine/base/log.h"
#include "tests/support/temp_file.h"

#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <unistd.h>

using namespace sotto;

TEST_CASE("lines from SOTTO_LOG's level on go to stderr as they are") {
    const test::TempFile temp("");
    setenv("SOTTO_LOG", "info", 1); // read at the first line; no other case of this program logs
    std::fflush(stderr);
    const int saved = dup(STDERR_FILENO);
    FILE* file = std::fopen(temp.path().c_str(), "w");
    REQUIRE(file);
    dup2(fileno(file), STDERR_FILENO);
    log::debug("not shown");
    log::info("an info line");
    log::error("no {} format, 100 %s");
    std::fflush(stderr);
    dup2(saved, STDERR_FILENO);
    close(saved);
    std::fclose(file);

    std::ifstream in(temp.path());
    const std::string text(std::istreambuf_iterator<char>(in), {});
    CHECK(text.find("not shown") == std::string::npos);
    CHECK(text.find("info: an info line\n") != std::string::npos);
    CHECK(text.find("error: no {} format, 100 %s\n") != std::string::npos);
}
#endif
