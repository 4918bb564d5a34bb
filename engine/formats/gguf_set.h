// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/gguf.h"
#include "engine/formats/split_name.h"

#include <optional>

namespace sotto::formats {

/// A model in several files: finds the parts beside the one that was opened, compares what each
/// says of the set, and puts them together.
class GgufSet {
  public:
    /// The model that `opened` is, or is a part of.
    static Result<std::unique_ptr<GgufFile>> complete(std::unique_ptr<GgufFile> opened);

  private:
    struct Keys {
        std::int64_t no = -1; // from 0
        std::int64_t count = 1;
        std::optional<std::int64_t> n_tensors; // in all parts
    };
    static Result<Keys> read_keys(const GgufFile& part);
    static Result<SplitName> read_name(const std::string& path, const Keys& keys);

    explicit GgufSet(SplitName name) : name_(std::move(name)) {}
    Result<std::unique_ptr<GgufFile>> join(std::unique_ptr<GgufFile> opened);
    Result<void> add(std::unique_ptr<GgufFile> part, std::uint32_t no);
    Result<void> check_keys(const GgufFile& part, std::uint32_t no);
    Result<void> check_tensors();

    SplitName name_;
    std::unique_ptr<GgufFile> set_; // the first part, and what was appended to it
    std::optional<std::int64_t> n_tensors_;
};

} // namespace sotto::formats
