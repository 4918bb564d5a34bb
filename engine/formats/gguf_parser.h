// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/gguf.h"
#include "engine/formats/header_reader.h"

namespace sotto::formats {

/// Bytes of a value of a fixed-size type; 0 for strings and arrays.
std::size_t gguf_type_bytes(GgufType type);

/// Reads and checks a header, front to back. Each step returns whether it went well; the reader
/// keeps the error.
class GgufParser {
  public:
    explicit GgufParser(std::unique_ptr<InputFile> file);
    Result<std::unique_ptr<GgufFile>> run();

  private:
    // gguf_parser.cpp: what stands before the tensors
    bool parse();
    bool fail(const std::string& message) { return reader_.fail(ErrorCode::bad_file, message); }
    bool read_magic();
    bool read_version();
    bool read_counts();
    bool check_count(const char* what, std::uint64_t n, std::uint64_t min_bytes, std::uint64_t max);
    bool read_pair();
    bool read_value(GgufValue& value);
    bool read_element_type(GgufValue& value);
    bool read_array(GgufValue& value);
    bool check_booleans(const GgufValue& value);
    bool index_keys();

    // gguf_tensors.cpp: where they are
    bool read_tensor_record();
    bool read_shape(GgufTensor& tensor);
    bool check_tensor_size(GgufTensor& tensor);
    bool read_alignment(std::uint64_t& alignment);
    bool place_tensors();
    bool place_tensor(GgufTensor& tensor, std::uint64_t data, std::uint64_t alignment);
    bool check_overlaps();

    std::unique_ptr<GgufFile> gguf_;
    HeaderReader reader_;
    std::uint64_t n_tensors_ = 0, n_pairs_ = 0;
};

} // namespace sotto::formats
