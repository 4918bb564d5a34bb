// SPDX-License-Identifier: Apache-2.0
// safetensors (huggingface/safetensors, README "Format"), as files hold it.
//
//   n          u64, little-endian: bytes of the header, at most 100000000
//   header     JSON in UTF-8, n bytes, beginning with '{', with blanks after it if the writer
//   liked:
//              {"NAME": {"dtype": "F16", "shape": [rows, columns], "data_offsets": [begin, end]},
//              ..., "__metadata__": {"KEY": "text"}}
//   data       the rest of the file. Offsets count from its start, begin <= end. Numbers are
//              little-endian, the last dimension of a shape is the contiguous one
//
// No key is there twice. A tensor takes end - begin bytes, exactly what shape and dtype need; [] is
// the shape of one element, a dimension of 0 that of none. All bytes of the data belong to exactly
// one tensor: there are no holes, no overlaps, nothing at the end. Whatever else a tensor's object
// holds is of no concern.
//
// dtypes BF16, F16 and F32 hold weights here; F64 and signed integers are listed, for who asks for
// such a tensor to refuse it; a file with any other is refused.
#pragma once

#include "engine/base/json.h"
#include "engine/formats/tensor_source.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sotto::formats {

constexpr std::uint64_t kMaxSafetensorsHeader = 100'000'000; // bytes

/// A parsed header and the open file. Immutable; any thread. Shapes are turned round, shape[0] is
/// the contiguous one, and [] is {1}; tensors are in the order of their bytes.
class SafetensorsFile final : public TensorFiles {
  public:
    /// `path` is UTF-8. Errors: io, bad_file, unsupported (dtype), no_memory; their messages begin
    /// with the path.
    static Result<std::unique_ptr<SafetensorsFile>> open(const std::string& path);

    /// Keys and texts of "__metadata__".
    [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& metadata() const {
        return metadata_;
    }

  private:
    friend class SafetensorsSet;
    friend class SafetensorsParser;
    std::vector<std::pair<std::string, std::string>> metadata_;
};

} // namespace sotto::formats
