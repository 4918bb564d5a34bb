// SPDX-License-Identifier: Apache-2.0
// What logit_reader.cpp and logit_writer.cpp share; logit_file.h describes the file.
#pragma once

#include "app/cli/logit_file.h"

#include <bit>
#include <filesystem>

namespace sotto::cli::logit_format {

static_assert(std::endian::native == std::endian::little, "the file is written as it is in memory");

inline constexpr char kMagic[] = "SOTTOLGP";
inline constexpr std::uint32_t kVersion = 1, kMaxName = 4096, kMaxVocab = 1 << 24,
                               kMaxCtx = 1 << 30;

struct Header {
    char magic[8];
    std::uint32_t version, n_vocab;
    std::uint64_t vocabulary;
    std::int32_t bos;
    std::uint32_t n_ctx, stride, n_name;
    std::uint64_t n_tokens, n_scored;
};
static_assert(sizeof(Header) == 56);

inline std::uint64_t record_bytes(std::uint64_t n_vocab) {
    return sizeof(double) + n_vocab * sizeof(LogProbCode);
}

inline std::filesystem::path as_path(const std::string& path) {
    return {std::u8string(path.begin(), path.end())};
}

} // namespace sotto::cli::logit_format
