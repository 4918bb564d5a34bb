// SPDX-License-Identifier: Apache-2.0
// Keys and values of one token sequence in a file, little-endian:
//
//   KvFileHeader, the tokens (i32 each), zeros up to a multiple of 4096, the pages one after the
//   other as they are in memory, the hash of each page (two u64), the hash of everything before the
//   pages and of the pages' hashes (two u64).
//
// A file is good for one model, one kind of cache and one version of the arithmetic, all of which
// its header names; whatever does not fit, or has changed by a bit, is refused as a whole.
#pragma once

#include "engine/base/fast_hash.h"
#include "engine/base/input_file.h"
#include "engine/base/result.h"
#include "engine/cache/kv_sequence.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace sotto::cache {

/// What keys and values depend on beside the tokens.
struct KvFileKey {
    Hash128 model{};         // weights and metadata
    Hash128 chat_template{}; // tokens of chats are made by it
    KvShape shape;
};

/// Writes the pages of kv that hold `tokens`, aside first. Blocks. Nobody may write to the pages
/// meanwhile. Errors: io.
Result<void> write_kv_file(const std::string& path, const KvFileKey& key,
                           std::span<const std::int32_t> tokens, const KvSequence& kv);

/// A file that fits, its pages not read yet.
class KvFileReader {
  public:
    /// Errors: io; bad_file for what is damaged or cut off; unsupported for what was written by
    /// another version, for another model or another kind of cache.
    static Result<KvFileReader> open(const std::string& path, const KvFileKey& key);

    [[nodiscard]] const std::vector<std::int32_t>& tokens() const { return tokens_; }
    [[nodiscard]] std::size_t n_pages() const { return hashes_.size(); }
    /// Reads a page to where it goes. Any thread. Errors: io, bad_file.
    Result<void> read_page(std::size_t index, std::span<std::byte> to) const;

  private:
    std::unique_ptr<InputFile> file_;
    std::vector<std::int32_t> tokens_;
    std::uint64_t pages_at_ = 0;
    std::vector<Hash128> hashes_;
};

} // namespace sotto::cache
