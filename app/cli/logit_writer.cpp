// SPDX-License-Identifier: Apache-2.0
#include "app/cli/logit_format.h"

#include <algorithm>

namespace sotto::cli {

using namespace logit_format;
namespace fs = std::filesystem;

LogitWriter::LogitWriter(const std::string& path)
    : path_(path), out_(as_path(path + ".part"), std::ios::binary) {}

LogitWriter::~LogitWriter() {
    if (!done_ && out_.is_open()) {
        out_.close();
        std::error_code ignored;
        fs::remove(as_path(path_ + ".part"), ignored);
    }
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
        return Error{ErrorCode::io, "'" + path + ".part' cannot be opened for writing"};
    }
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
    writer->write(&header, sizeof header);
    writer->write(name.data(), name.size());
    writer->write(run.tokens.data(), run.tokens.size() * sizeof(TokenId));
    return writer;
}

void LogitWriter::write(const void* data, std::size_t n_bytes) {
    hash_.add(data, n_bytes);
    out_.write(static_cast<const char*>(data), static_cast<std::streamsize>(n_bytes));
}

void LogitWriter::add(double nll, std::span<const LogProbCode> codes) {
    write(&nll, sizeof nll);
    write(codes.data(), codes.size_bytes());
}

Result<void> LogitWriter::finish() {
    const std::uint64_t sum = hash_.value();
    write(&sum, sizeof sum);
    out_.close();
    if (!out_) {
        return Error{ErrorCode::io, "'" + path_ + ".part' could not be written to its end"};
    }
    std::error_code failed;
    fs::rename(as_path(path_ + ".part"), as_path(path_), failed);
    if (failed) {
        return Error{ErrorCode::io, "'" + path_ + ".part' cannot be renamed to '" + path_ +
                                        "': " + failed.message()};
    }
    done_ = true;
    return {};
}

} // namespace sotto::cli
