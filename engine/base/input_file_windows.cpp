// SPDX-License-Identifier: Apache-2.0
#ifdef _WIN32
#include "engine/base/input_file.h"

#include "engine/base/utf8.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#define NOMINMAX
#include <windows.h>

namespace sotto {
namespace {

Error failed(const std::string& path, const char* what) {
    return {ErrorCode::io, "'" + path + "' cannot be " + what + ": " +
                               std::system_category().message(static_cast<int>(GetLastError()))};
}

} // namespace

Result<std::unique_ptr<InputFile>> InputFile::open(const std::string& path) {
    if (!utf8::valid(path) || path.find('\0') != std::string::npos) {
        return Error{ErrorCode::io, "the file name is no valid text"};
    }
    const std::filesystem::path wide(std::u8string(path.begin(), path.end()));
    std::error_code code;
    if (std::filesystem::is_directory(wide, code)) {
        return Error{ErrorCode::io, "'" + path + "' is a folder, not a file"};
    }
    const HANDLE handle = CreateFileW(wide.c_str(), GENERIC_READ, FILE_SHARE_READ, nullptr,
                                      OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
    if (handle == INVALID_HANDLE_VALUE) {
        return failed(path, "opened");
    }
    std::unique_ptr<InputFile> file(new InputFile);
    file->handle_ = reinterpret_cast<std::intptr_t>(handle);
    file->path_ = path;
    if (GetFileType(handle) != FILE_TYPE_DISK) {
        return Error{ErrorCode::io, "'" + path + "' is a device or a pipe, not a file"};
    }
    LARGE_INTEGER size{};
    if (!GetFileSizeEx(handle, &size)) {
        return failed(path, "examined");
    }
    if (size.QuadPart == 0) {
        return Error{ErrorCode::bad_file, "'" + path + "' is empty"};
    }
    file->size_ = static_cast<std::uint64_t>(size.QuadPart);
    return file;
}

InputFile::~InputFile() {
    if (handle_ != -1) {
        CloseHandle(reinterpret_cast<HANDLE>(handle_));
    }
}

Result<void> InputFile::read(std::uint64_t offset, std::span<std::byte> dst) const {
    if (offset > size_ || dst.size() > size_ - offset) {
        return Error{ErrorCode::bad_file, "'" + path_ + "': " + std::to_string(dst.size()) +
                                              " bytes are wanted at " + std::to_string(offset) +
                                              ", the file has " + std::to_string(size_)};
    }
    while (!dst.empty()) {
        OVERLAPPED at{};
        at.Offset = static_cast<DWORD>(offset);
        at.OffsetHigh = static_cast<DWORD>(offset >> 32);
        DWORD n = 0;
        const auto wanted = static_cast<DWORD>(std::min<std::size_t>(dst.size(), 1u << 30));
        if (!ReadFile(reinterpret_cast<HANDLE>(handle_), dst.data(), wanted, &n, &at) &&
            GetLastError() != ERROR_HANDLE_EOF) {
            return failed(path_, "read");
        }
        if (n == 0) {
            return Error{ErrorCode::io, "'" + path_ + "' ends at byte " + std::to_string(offset) +
                                            " now; it had " + std::to_string(size_) +
                                            " when it was opened"};
        }
        offset += n;
        dst = dst.subspan(n);
    }
    return {};
}

} // namespace sotto
#endif
