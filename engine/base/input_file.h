// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace sotto {

/// A file that is read at positions, from any thread. Not mapped on purpose: a file that shrinks or
/// a medium that fails is then an error code of a read and never a signal, on network disks too,
/// and from the page cache positioned reads are as fast as the packing that follows them.
class InputFile {
  public:
    /// Folders, devices and empty files are errors that say so. `path` is UTF-8 on every system.
    static Result<std::unique_ptr<InputFile>> open(const std::string& path);
    ~InputFile();
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;

    [[nodiscard]] const std::string& path() const { return path_; }
    /// When it was opened.
    [[nodiscard]] std::uint64_t size() const { return size_; }
    /// Fills dst with the bytes from `offset` on; an Error naming path and position if there are
    /// not so many.
    [[nodiscard]] Result<void> read(std::uint64_t offset, std::span<std::byte> dst) const;

  private:
    InputFile() = default;
    std::string path_;
    std::uint64_t size_ = 0;
    std::intptr_t handle_ = -1;
};

} // namespace sotto
