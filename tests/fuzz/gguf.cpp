// SPDX-License-Identifier: Apache-2.0
// Any bytes as a GGUF file: opened, all values shown, every tensor read.
#include "engine/formats/gguf.h"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <span>

using sotto::formats::GgufFile;

namespace {

// One file for the whole run, with a name that no other run has.
const std::string& scratch_file() {
    static const std::string path = (std::filesystem::temp_directory_path() /
                                     ("sotto_fuzz_" + std::to_string(std::random_device{}())))
                                        .string();
    static const int registered = std::atexit([] { std::filesystem::remove(path); });
    (void)registered;
    return path;
}

void read_everything(const GgufFile& file) {
    for (const auto& [key, value] : file.metadata()) {
        (void)file.value_text(value, 64);
        (void)file.get_strings(key);
        (void)file.get_ints(key);
        (void)file.get_floats(key);
    }
    std::array<std::byte, 256> bytes;
    for (const auto& tensor : file.tensors()) {
        auto n = static_cast<std::size_t>(std::min<std::uint64_t>(tensor.n_bytes, bytes.size()));
        (void)file.read_tensor(tensor, tensor.n_bytes - n, std::span(bytes).first(n));
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::ofstream(scratch_file(), std::ios::binary | std::ios::trunc)
        .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
    if (auto file = GgufFile::open(scratch_file()))
        read_everything(**file);
    return 0;
}
