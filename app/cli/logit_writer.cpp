// SPDX-License-Identifier: Apache-2.0
#include "app/cli/logit_format.h"

#include <algorithm>
#include <cerrno>
#include <random>
#include <system_error>
#include <utility>

namespace sotto::cli {

using namespace logit_format;
namespace fs = std::filesystem;
namespace {

/// Null if it is there already, or cannot be made; errno says which.
std::FILE* create_new(const std::string& path) {
#ifdef _WIN32
    return _wfopen(as_path(path).c_str(), L"wbx");
#else
    return std::fopen(path.c_str(), "wbx");
#endif
}

} // namespace

LogitWriter::LogitWriter(const std::string& path) : path_(path) {
    constexpr int kTries = 100;
    std::random_device random;
    for (int i = 0; i < kTries && !out_ && (i == 0 || open_error_ == EEXIST); ++i) {
        part_ = path + "." + std::to_string(random()) + ".part";
        out_ = create_new(part_);
        open_error_ = errno;
    }
    is_ours_ = out_ != nullptr;
}

LogitWriter::~LogitWriter() {
    if (out_) {
        std::fclose(out_);
    }
    if (is_ours_ && !done_) {
        std::error_code ignored;
        fs::remove(as_path(part_), ignored);
    }
}

Error LogitWriter::failure(int code) const {
    return {ErrorCode::io,
            "'" + path_ + "' cannot be written: " + std::generic_category().message(code)};
}

Result<std::unique_ptr<LogitWriter>> LogitWriter::create(const std::string& path,
                                                         const LogitRun& run) {
    std::error_code ignored;
    const fs::file_status there = fs::status(as_path(path), ignored);
    if (fs::exists(there) && !fs::is_regular_file(there)) {
        return Error{ErrorCode::io, "'" + path + "' is no ordinary file: it is not replaced"};
    }
    std::unique_ptr<LogitWriter> writer(new LogitWriter(path));
    if (!writer->out_) {
        return writer->failure(writer->open_error_);
    }
    if (auto done = writer->write_head(run); !done) {
        return std::move(done).error();
    }
    return writer;
}

Result<void> LogitWriter::write_head(const LogitRun& run) {
    const std::string name = run.model.substr(0, kMaxName);
    Header header{};
    std::copy_n(kMagic, sizeof header.magic, header.magic);
    header.version = kVersion;
    header.n_vocab = static_cast<std::uint32_t>(run.n_vocab);
    header.vocabulary = run.vocabulary;
    header.bos = run.bos;
    header.n_ctx = static_cast<std::uint32_t>(run.rule.n_ctx);
    header.stride = static_cast<std::uint32_t>(run.rule.stride);
    header.n_name = static_cast<std::uint32_t>(name.size());
    header.n_tokens = run.tokens.size();
    header.n_scored = static_cast<std::uint64_t>(run.n_scored);
    auto done = write(&header, sizeof header);
    if (done) {
        done = write(name.data(), name.size());
    }
    return done ? write(run.tokens.data(), run.tokens.size() * sizeof(TokenId)) : done;
}

Result<void> LogitWriter::write(const void* data, std::size_t n_bytes) {
    hash_.add(data, n_bytes);
    if (std::fwrite(data, 1, n_bytes, out_) != n_bytes) {
        return failure(errno);
    }
    return {};
}

Result<void> LogitWriter::add(double nll, std::span<const LogProbCode> codes) {
    auto done = write(&nll, sizeof nll);
    return done ? write(codes.data(), codes.size_bytes()) : done;
}

Result<void> LogitWriter::finish() {
    const std::uint64_t sum = hash_.value();
    if (auto done = write(&sum, sizeof sum); !done) {
        return done;
    }
    if (std::fclose(std::exchange(out_, nullptr)) != 0) {
        return failure(errno);
    }
    std::error_code failed;
    fs::rename(as_path(part_), as_path(path_), failed);
    if (failed) {
        return failure(failed.value());
    }
    done_ = true;
    return {};
}

} // namespace sotto::cli
