// SPDX-License-Identifier: Apache-2.0
// A model in several safetensors files. An index, model.safetensors.index.json, says where each
// tensor is:
//
//   {"metadata": {...}, "weight_map": {"TENSOR": "model-00001-of-00002.safetensors", ...}}
//
// Its values are names of files in the index's own folder; anything else that could be a path is
// refused. The index decides what belongs to the model: a tensor it names must be where it says,
// one that it does not name is left out with a warning, and none may be in two files.
#pragma once

#include "engine/formats/safetensors.h"

namespace sotto::formats {

/// Immutable; any thread.
class SafetensorsSet final : public TensorFiles {
  public:
    /// Opens the index and every file it names. Errors as of SafetensorsFile::open; they name the
    /// file that is at fault.
    static Result<std::unique_ptr<SafetensorsSet>> open(const std::string& index_path,
                                                        std::vector<std::string>& warnings);

  private:
    explicit SafetensorsSet(const std::string& index_path) { path_ = index_path; }
    Result<void> open_files(json::Value weight_map, std::vector<std::string>& warnings);
    Result<void> take(SafetensorsFile& file, std::string_view name, json::Value weight_map);
    Result<void> check_map(json::Value weight_map);

    std::size_t n_left_out_ = 0;
    std::string left_out_; // the first
};

} // namespace sotto::formats
