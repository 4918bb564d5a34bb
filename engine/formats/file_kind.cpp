// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/file_kind.h"

#include <algorithm>

namespace sotto::formats {
namespace {

struct Signature {
    std::string_view begin;
    std::string_view kind;
};

constexpr std::string_view kZip = "a zip archive (a PyTorch checkpoint is one)";
constexpr std::string_view kPredecessor = "a file of a format before GGUF, which is not supported";
constexpr std::string_view kWebPage = "a web page: the download may have been an error message";

constexpr Signature kSignatures[] = {
    {"PK\x03\x04", kZip},
    {"PK\x05\x06", kZip},
    {"GGML", kPredecessor},
    {"lmgg", kPredecessor},
    {"fmgg", kPredecessor},
    {"tjgg", kPredecessor},
    {"algg", kPredecessor},
    {"FUGG", "a GGUF file with its bytes in reverse order, which is not supported"},
    {"<!", kWebPage},
    {"<html", kWebPage},
    {"<HTML", kWebPage},
    {"version https://git-lfs", "a Git LFS pointer: the model itself was not downloaded"},
    {"\x80\x02", "a Python pickle, which is not supported"},
    {"\x1f\x8b", "a gzip archive"},
    {"\x28\xb5\x2f\xfd", "a Zstandard archive"},
    {"\xfd"
     "7zXZ",
     "an xz archive"},
    {"\x89HDF", "an HDF5 file, which is not supported"},
};

bool is_text(std::string_view front) {
    return !front.empty() && std::ranges::all_of(front, [](char c) {
        return (c >= 0x20 && c < 0x7F) || c == '\n' || c == '\r' || c == '\t';
    });
}

} // namespace

std::string_view guess_file_kind(std::string_view front) {
    for (const Signature& s : kSignatures) {
        if (front.starts_with(s.begin)) {
            return s.kind;
        }
    }
    if (front.size() > 8 && front[8] == '{') { // after the u64 length of its JSON header
        return "a safetensors file, which is not supported yet";
    }
    if (is_text(front)) {
        return "a text file";
    }
    const bool zeros = !front.empty() && std::ranges::all_of(front, [](char c) { return c == 0; });
    return zeros ? "an unfinished download: it begins with zeros" : std::string_view();
}

} // namespace sotto::formats
