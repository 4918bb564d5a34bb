// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"

#include <cstddef>
#include <fstream>
#include <span>
#include <string>

namespace sotto {

/// A file that is written aside and takes its name when it is whole: whoever looks finds the old
/// one, the new one or none. Only its owner may read it. One thread at a time.
class OutputFile {
  public:
    /// `path` is UTF-8. Errors: io, naming the path and what the system said.
    static Result<OutputFile> create(const std::string& path);
    OutputFile(OutputFile&& other) noexcept;
    OutputFile& operator=(OutputFile&&) = delete;
    /// What was not committed is removed.
    ~OutputFile();

    Result<void> write(std::span<const std::byte> bytes);
    /// Puts the file in the place of the one that has its name.
    Result<void> commit();

  private:
    OutputFile(std::string path, std::string aside);
    [[nodiscard]] Error failed(const std::string& what) const;

    std::string path_, aside_; // aside_ is empty once it is gone
    std::ofstream stream_;
};

} // namespace sotto
