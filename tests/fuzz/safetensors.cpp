// SPDX-License-Identifier: Apache-2.0
// The safetensors reader on bytes that libFuzzer makes up. The first byte says what the others are:
// 'H' a header, which gets its right length and 64 bytes of data; 'I' the index of two sound files;
// anything else is the file itself, with this byte. What is opened must keep what it promises.
#include "engine/formats/safetensors_set.h"
#include "tests/engine/formats/safetensors_writer.h"
#include "tests/engine/formats/source_walk.h"
#include "tests/support/temp_file.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>

using sotto::test::SafetensorsWriter;

namespace {

/// A folder with two sound files, which an index may name.
const sotto::test::TempFolder& folder() {
    static const sotto::test::TempFolder made;
    static const bool once = [] {
        SafetensorsWriter first, second;
        first.add("a", {2, 4}, std::vector<float>(8, 1.0f)).add("b", {1}, {2.0f});
        second.add("c", "BF16", {3}, "cccccc").add("d", "F16", {0}, "");
        sotto::test::write_file(made.file("1.safetensors"), first.build());
        sotto::test::write_file(made.file("2.safetensors"), second.build());
        return true;
    }();
    (void)once;
    return made;
}

void fail(const std::string& problem) {
    std::fprintf(stderr, "broken promise: %s\n", problem.c_str());
    std::abort();
}

template <class Opened>
void check(const Opened& opened) {
    if (!opened) {
        const std::string place = folder().path().string();
        if (opened.error().message.find(place) == std::string::npos) {
            fail("an error without a path: " + opened.error().message);
        }
        return;
    }
    if (const std::string problem = sotto::test::walk_source(**opened); !problem.empty()) {
        fail(problem);
    }
}

void run_file(std::string_view bytes) {
    const std::string path = folder().file("fuzzed.safetensors");
    sotto::test::write_file(path, bytes);
    check(sotto::formats::SafetensorsFile::open(path));
}

void run_index(std::string_view text) {
    const std::string path = folder().file("model.safetensors.index.json");
    sotto::test::write_file(path, text);
    std::vector<std::string> warnings;
    check(sotto::formats::SafetensorsSet::open(path, warnings));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t n_bytes) {
    const std::string_view input(reinterpret_cast<const char*>(data), n_bytes);
    if (input.starts_with('H')) {
        run_file(SafetensorsWriter::file(input.substr(1), std::string(64, 'x')));
    } else if (input.starts_with('I')) {
        run_index(input.substr(1));
    } else {
        run_file(input);
    }
    return 0;
}
