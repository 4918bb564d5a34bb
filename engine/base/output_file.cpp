// SPDX-License-Identifier: Apache-2.0
#include "engine/base/output_file.h"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <system_error>

namespace sotto {
namespace {

namespace fs = std::filesystem;

fs::path as_path(const std::string& utf8) {
    return std::u8string(utf8.begin(), utf8.end());
}

/// Two processes, or threads, that write the same file do not meet.
std::string unique_suffix() {
    static std::atomic<unsigned> counter{0};
    const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
    return "." + std::to_string(now) + "-" + std::to_string(counter++) + ".part";
}

} // namespace

OutputFile::OutputFile(std::string path, std::string aside)
    : path_(std::move(path)), aside_(std::move(aside)) {}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)), aside_(std::exchange(other.aside_, {})),
      stream_(std::move(other.stream_)) {}

OutputFile::~OutputFile() {
    if (!aside_.empty()) {
        stream_.close();
        std::error_code ignored;
        fs::remove(as_path(aside_), ignored);
    }
}

Error OutputFile::failed(const std::string& what) const {
    return {ErrorCode::io, "'" + path_ + "' cannot be written: " + what};
}

Result<OutputFile> OutputFile::create(const std::string& path) {
    OutputFile file(path, path + unique_suffix());
    errno = 0;
    file.stream_.open(as_path(file.aside_), std::ios::binary | std::ios::trunc);
    if (!file.stream_) {
        const Error error = file.failed(std::generic_category().message(errno));
        file.aside_.clear();
        return error;
    }
    std::error_code ignored; // where there are no such permissions
    fs::permissions(as_path(file.aside_), fs::perms::owner_read | fs::perms::owner_write, ignored);
    return file;
}

Result<void> OutputFile::write(std::span<const std::byte> bytes) {
    errno = 0;
    if (!stream_.write(reinterpret_cast<const char*>(bytes.data()),
                       static_cast<std::streamsize>(bytes.size()))) {
        return failed(std::generic_category().message(errno));
    }
    return {};
}

Result<void> OutputFile::commit() {
    errno = 0;
    stream_.close();
    if (!stream_) {
        return failed(std::generic_category().message(errno));
    }
    std::error_code error;
    fs::rename(as_path(aside_), as_path(path_), error);
    if (error) {
        return failed(error.message());
    }
    aside_.clear();
    return {};
}

} // namespace sotto
