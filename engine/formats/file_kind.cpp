// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/file_kind.h"

#include <algorithm>
#include <string>

namespace sotto::formats {
namespace {

struct Signature {
    std::string_view bytes;
    std::string_view kind;
};

constexpr std::string_view kZip = "a zip archive (a PyTorch checkpoint is one)";
constexpr std::string_view kPredecessor = "a file of a format before GGUF, which is not supported";
constexpr std::string_view kCheckpoint = "a PyTorch checkpoint, which is not supported";
constexpr std::string_view kWebPage = "a web page: the download may have been an error message";

constexpr Signature kSignatures[] = {
    {"PK\x03\x04", kZip},
    {"PK\x05\x06", kZip},
    {"GGUF", "a GGUF file"},
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

/// Endings of names, in lower case.
constexpr Signature kEndings[] = {
    {".bin", kCheckpoint},
    {".pt", kCheckpoint},
    {".pth", kCheckpoint},
    {".ckpt", kCheckpoint},
    {".onnx", "an ONNX model, which is not supported"},
    {".h5", "an HDF5 file, which is not supported"},
    {".msgpack", "a Flax checkpoint, which is not supported"},
    {".tflite", "a TensorFlow Lite model, which is not supported"},
    {".npz", "an archive of NumPy arrays, which is not supported"},
    {".zip", "a zip archive"},
};

bool is_text(std::string_view front) {
    return !front.empty() && std::ranges::all_of(front, [](char c) {
        return (c >= 0x20 && c < 0x7F) || c == '\n' || c == '\r' || c == '\t';
    });
}

} // namespace

std::string_view guess_file_kind(std::string_view front) {
    for (const Signature& s : kSignatures) {
        if (front.starts_with(s.bytes)) {
            return s.kind;
        }
    }
    if (front.size() > 8 && front[8] == '{' && front[7] == 0) { // after the length of its header
        return "a safetensors file, which is opened with the config.json of its folder";
    }
    if (is_text(front)) {
        return front.starts_with('{') ? "a JSON file" : "a text file";
    }
    const bool zeros = !front.empty() && std::ranges::all_of(front, [](char c) { return c == 0; });
    return zeros ? "an unfinished download: it begins with zeros" : std::string_view();
}

std::string_view guess_file_kind_by_name(std::string_view name) {
    std::string lower(name);
    std::ranges::transform(lower, lower.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    });
    for (const Signature& s : kEndings) {
        if (lower.ends_with(s.bytes)) {
            return s.kind;
        }
    }
    return {};
}

} // namespace sotto::formats
