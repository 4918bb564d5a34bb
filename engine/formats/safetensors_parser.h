// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/safetensors.h"

namespace sotto::formats {

/// Reads and checks a header. Each step's error has no path yet.
class SafetensorsParser {
  public:
    explicit SafetensorsParser(std::unique_ptr<InputFile> file);
    /// Adds the path to errors.
    Result<std::unique_ptr<SafetensorsFile>> run();

  private:
    Result<void> parse();
    Result<std::string> read_header();
    Result<void> read_metadata(json::Value value);
    Result<void> read_tensor(std::string_view name, json::Value value);
    Result<void> read_dtype(StoredTensor& tensor, json::Value value);
    Result<void> read_shape(StoredTensor& tensor, json::Value value);
    Result<void> read_place(StoredTensor& tensor, json::Value value);
    Result<void> check_size(const StoredTensor& tensor);
    Result<void> check_coverage();

    std::unique_ptr<SafetensorsFile> result_;
    const InputFile& file_;
    std::uint64_t data_ = 0; // where it begins in the file
};

} // namespace sotto::formats
