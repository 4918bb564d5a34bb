// SPDX-License-Identifier: Apache-2.0
#include "app/cli/logit_format.h"

#include <algorithm>

namespace sotto::cli {

using namespace logit_format;
namespace fs = std::filesystem;

LogitReader::LogitReader(const std::string& path)
    : path_(path), in_(as_path(path), std::ios::binary) {}

Result<std::unique_ptr<LogitReader>> LogitReader::open(const std::string& path) {
    std::error_code failed;
    const fs::file_status there = fs::status(as_path(path), failed);
    if (fs::exists(there) && !fs::is_regular_file(there)) {
        return Error{ErrorCode::io, "'" + path +
                                        "' is no ordinary file that perplexity "
                                        "--save-logits could have written"};
    }
    std::unique_ptr<LogitReader> reader(new LogitReader(path));
    reader->n_bytes_ = fs::file_size(as_path(path), failed);
    if (failed || !reader->in_) {
        return Error{ErrorCode::io, "'" + path + "' cannot be opened for reading"};
    }
    if (auto done = reader->check_sum(); !done) {
        return std::move(done).error();
    }
    if (auto done = reader->read_header(); !done) {
        return std::move(done).error();
    }
    return reader;
}

Error LogitReader::damaged(const std::string& what) const {
    return {ErrorCode::bad_file, "'" + path_ + "' is cut off or damaged: " + what};
}

bool LogitReader::read(void* data, std::size_t n_bytes) {
    in_.read(static_cast<char*>(data), static_cast<std::streamsize>(n_bytes));
    return static_cast<bool>(in_);
}

/// What the file is, and that it is whole; leaves the position at its beginning.
Result<void> LogitReader::check_sum() {
    Header header{};
    if (!read(&header, std::min<std::uint64_t>(n_bytes_, sizeof header)) ||
        !std::equal(header.magic, header.magic + sizeof header.magic, kMagic)) {
        return Error{ErrorCode::bad_file,
                     "'" + path_ + "' is no file that perplexity --save-logits wrote"};
    }
    if (header.version != kVersion) {
        return Error{ErrorCode::unsupported,
                     "'" + path_ + "' has version " + std::to_string(header.version) +
                         " of its format; this program reads version " + std::to_string(kVersion)};
    }
    std::uint64_t sum = 0;
    if (n_bytes_ < sizeof header + sizeof sum) {
        return damaged("it has " + std::to_string(n_bytes_) + " bytes");
    }
    Fnv1a hash;
    in_.seekg(0);
    std::vector<char> part(1 << 16);
    for (std::uint64_t left = n_bytes_ - sizeof sum; left > 0;) {
        const std::size_t n = std::min<std::uint64_t>(left, part.size());
        if (!read(part.data(), n)) {
            return damaged("it cannot be read to its end");
        }
        hash.add(part.data(), n);
        left -= n;
    }
    if (!read(&sum, sizeof sum) || sum != hash.value()) {
        return damaged("its checksum does not match");
    }
    in_.seekg(0);
    return {};
}

Result<void> LogitReader::read_header() {
    Header h{};
    // A right checksum does not make a right file: everything is looked at before it is used.
    if (!read(&h, sizeof h) || h.n_vocab == 0 || h.n_vocab > kMaxVocab || h.n_name > kMaxName ||
        h.n_ctx < 4 || h.n_ctx > kMaxCtx || h.stride >= h.n_ctx ||
        h.n_tokens > n_bytes_ / sizeof(TokenId) ||
        h.n_scored > n_bytes_ / record_bytes(h.n_vocab) ||
        n_bytes_ != sizeof h + h.n_name + h.n_tokens * sizeof(TokenId) +
                        h.n_scored * record_bytes(h.n_vocab) + sizeof(std::uint64_t)) {
        return damaged("its header does not fit its " + std::to_string(n_bytes_) + " bytes");
    }
    run_ = {.model = std::string(h.n_name, ' '),
            .n_vocab = static_cast<int>(h.n_vocab),
            .vocabulary = h.vocabulary,
            .bos = h.bos,
            .rule = {static_cast<int>(h.n_ctx), static_cast<int>(h.stride)},
            .tokens = std::vector<TokenId>(h.n_tokens),
            .n_scored = static_cast<std::int64_t>(h.n_scored)};
    if (!read(run_.model.data(), h.n_name) ||
        !read(run_.tokens.data(), h.n_tokens * sizeof(TokenId))) {
        return damaged("it cannot be read to its end");
    }
    for (const TokenId id : run_.tokens) {
        if (id < 0 || id >= run_.n_vocab) {
            return damaged("token id " + std::to_string(id) + " is outside its vocabulary");
        }
    }
    const auto windows = plan_windows(run_.rule, run_.tokens.size(), 0);
    if (windows.empty() || n_scored(windows) != run_.n_scored ||
        windows.back().begin + windows.back().size != run_.tokens.size()) {
        return damaged("its tokens and its scored positions do not belong together");
    }
    return {};
}

Result<void> LogitReader::next(double& nll, std::span<LogProbCode> codes) {
    if (!read(&nll, sizeof nll) || !read(codes.data(), codes.size_bytes())) {
        return Error{ErrorCode::io, "'" + path_ + "' can no longer be read"};
    }
    return {};
}

} // namespace sotto::cli
