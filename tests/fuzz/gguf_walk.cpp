// SPDX-License-Identifier: Apache-2.0
// The GGUF reader on bytes that libFuzzer makes up. Whatever it opens must keep what it promises.
#include "tests/support/gguf_walk.h"
#include "engine/formats/gguf.h"
#include "tests/support/temp_file.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t n_bytes) {
    static const sotto::test::TempFolder folder;
    static const std::string path = folder.file("fuzzed.gguf");
    sotto::test::write_file(path, {reinterpret_cast<const char*>(data), n_bytes});
    const auto file = sotto::formats::GgufFile::open(path);
    const std::string problem = file ? sotto::test::walk(**file) : "";
    if (!problem.empty() || (!file && file.error().message.find(path) == std::string::npos)) {
        std::fprintf(stderr, "broken promise: %s\n", problem.c_str());
        std::abort();
    }
    return 0;
}
