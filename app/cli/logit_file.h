// SPDX-License-Identifier: Apache-2.0
// A run of `perplexity --save-logits`: what was scored, and the log-probabilities of the whole
// vocabulary at each scored position. All numbers little-endian:
//
//    0  8 bytes  "SOTTOLGP"
//    8  u32      version, 1
//   12  u32      n_vocab, 1 to 2^24
//   16  u64      vocabulary_hash() of the model
//   24  i32      begin token put in the place of each window's first one; -1: none
//   28  u32      tokens of a window, 4 to 2^30
//   32  u32      stride (WindowRule); 0: halves
//   36  u32      length of the model's name, at most 4096
//   40  u64      n_tokens
//   48  u64      n_scored
//   56           name; i32 token ids [n_tokens]
//                n_scored records: f64 negative log-probability of the token that comes, u16
//                log-probability codes [n_vocab] (log_probs.h)
//        u64     FNV-1a of all bytes before
//
// So a scored position takes 8 + 2 * n_vocab bytes: 96 KiB with a vocabulary of 49152.
#pragma once

#include "app/cli/log_probs.h"
#include "app/cli/scoring.h"
#include "engine/engine.h"

#include <cstdio>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

namespace sotto::cli {

class Fnv1a {
  public:
    void add(const void* data, std::size_t n_bytes);
    [[nodiscard]] std::uint64_t value() const { return hash_; }

  private:
    std::uint64_t hash_ = 0xcbf29ce484222325; // the offset basis of draft-eastlake-fnv
};

/// Of the bytes of all tokens; those of control tokens do not count.
std::uint64_t vocabulary_hash(const Model& model);

struct LogitRun {
    std::string model; ///< its name, for people
    int n_vocab = 0;
    std::uint64_t vocabulary = 0;
    TokenId bos = -1;
    WindowRule rule;
    std::vector<TokenId> tokens; ///< up to the end of the last window
    std::int64_t n_scored = 0;
};

/// Writes to a new "FILE.NUMBER.part" (several runs may write the same file: the last to end stays)
/// and renames it at the end; without finish() nothing is left behind.
class LogitWriter {
  public:
    static Result<std::unique_ptr<LogitWriter>> create(const std::string& path,
                                                       const LogitRun& run);
    ~LogitWriter();
    // Errors name the cause, as a full disk.
    Result<void> add(double nll, std::span<const LogProbCode> codes);
    Result<void> finish();

  private:
    explicit LogitWriter(const std::string& path);
    Result<void> write_head(const LogitRun& run);
    Result<void> write(const void* data, std::size_t n_bytes);
    [[nodiscard]] Error failure(int code) const;

    std::string path_, part_;
    std::FILE* out_ = nullptr;
    Fnv1a hash_;
    int open_error_ = 0;
    bool is_ours_ = false, done_ = false;
};

/// Any file may be handed to it: open() has checked sizes, checksum and token ids.
class LogitReader {
  public:
    static Result<std::unique_ptr<LogitReader>> open(const std::string& path);
    [[nodiscard]] const LogitRun& run() const { return run_; }
    /// The next record; codes[n_vocab].
    Result<void> next(double& nll, std::span<LogProbCode> codes);

  private:
    explicit LogitReader(const std::string& path);
    Result<void> read_header();
    Result<void> check_sum();
    bool read(void* data, std::size_t n_bytes);
    [[nodiscard]] Error damaged(const std::string& what) const;

    std::string path_;
    std::ifstream in_;
    std::uint64_t n_bytes_ = 0;
    LogitRun run_;
};

} // namespace sotto::cli
