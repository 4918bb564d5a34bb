// SPDX-License-Identifier: Apache-2.0
#ifndef _WIN32
#include "engine/base/input_file.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace sotto {
namespace {

static_assert(sizeof(off_t) == 8, "files beyond 2 GiB: build with _FILE_OFFSET_BITS=64");

Error failed(const std::string& path, const char* what, int code) {
    return {ErrorCode::io,
            "'" + path + "' cannot be " + what + ": " + std::generic_category().message(code)};
}

Result<std::uint64_t> regular_size(const std::string& path, int fd) {
    struct stat info {};
    if (fstat(fd, &info) != 0) {
        return failed(path, "examined", errno);
    }
    if (S_ISDIR(info.st_mode)) {
        return Error{ErrorCode::io, "'" + path + "' is a folder, not a file"};
    }
    if (!S_ISREG(info.st_mode)) {
        return Error{ErrorCode::io, "'" + path + "' is a device or a pipe, not a file"};
    }
    if (info.st_size == 0) {
        return Error{ErrorCode::bad_file, "'" + path + "' is empty"};
    }
    return static_cast<std::uint64_t>(info.st_size);
}

} // namespace

Result<std::unique_ptr<InputFile>> InputFile::open(const std::string& path) {
    if (path.find('\0') != std::string::npos) {
        return Error{ErrorCode::io, "the file name holds a NUL character"};
    }
    // Without O_NONBLOCK a pipe would wait for a writer.
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        return failed(path, "opened", errno);
    }
    std::unique_ptr<InputFile> file(new InputFile);
    file->handle_ = fd;
    file->path_ = path;
    auto size = regular_size(path, fd);
    if (!size) {
        return std::move(size).error();
    }
    file->size_ = *size;
    return file;
}

InputFile::~InputFile() {
    if (handle_ >= 0) {
        ::close(static_cast<int>(handle_));
    }
}

Result<void> InputFile::read(std::uint64_t offset, std::span<std::byte> dst) const {
    if (offset > size_ || dst.size() > size_ - offset) {
        return Error{ErrorCode::bad_file, "'" + path_ + "': " + std::to_string(dst.size()) +
                                              " bytes are wanted at " + std::to_string(offset) +
                                              ", the file has " + std::to_string(size_)};
    }
    constexpr std::size_t kPiece = std::size_t{1} << 30; // some systems read no more at once
    while (!dst.empty()) {
        const ssize_t n = ::pread(static_cast<int>(handle_), dst.data(),
                                  std::min(dst.size(), kPiece), static_cast<off_t>(offset));
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0) {
            return failed(path_, "read", errno);
        }
        if (n == 0) {
            return Error{ErrorCode::io, "'" + path_ + "' ends at byte " + std::to_string(offset) +
                                            " now; it had " + std::to_string(size_) +
                                            " when it was opened"};
        }
        offset += static_cast<std::uint64_t>(n);
        dst = dst.subspan(static_cast<std::size_t>(n));
    }
    return {};
}

} // namespace sotto
#endif
