// SPDX-License-Identifier: Apache-2.0
// GGUF, versions 2 and 3, as files hold it. All numbers are little-endian; a string is a u64 length
// and that many bytes, without a terminator, holding anything.
//
//   magic       4 bytes "GGUF"
//   version     u32, 2 or 3 (3 only adds that big-endian files exist; those are refused here)
//   n_tensors   u64
//   n_kv        u64
//   metadata    n_kv times: key string (1 to 65535 bytes, none twice), value type u32 (GgufType),
//               value. Numbers and booleans lie as they are (a boolean is one byte, 0 or 1); an
//               array is element type u32 (no arrays of arrays), length u64, elements
//   tensors     n_tensors times: name string (none twice), n_dims u32 (1 to 4), n_dims
//               dimensions u64 (the first is the contiguous one, none is 0), type u32
//               (ggml_types.h), offset u64 from the start of the data
//   padding     to a multiple of "general.alignment" (u32, a power of two, 32 if missing)
//   data        each tensor at its offset, a multiple of the alignment; they do not overlap
//
// What follows the last tensor is of no concern.
//
// A model may come in several files NAME-00001-of-0000N.gguf, each a whole GGUF file with some of
// the tensors. Keys in each: "split.no" (from 0), "split.count" and, in the first at least,
// "split.tensors.count" (of all parts); all other metadata count in the first file only. Any of
// them opens the set: the others are looked for under the opened file's name with another number,
// in the same folder.
//
// The reader takes every file for hostile: each count is bounded by what the rest of the file could
// hold before anything is allocated, the header is at most 256 MiB with 65536 keys and 262144
// tensors, products and sums are checked, and an error names the thing and the limit.
#pragma once

#include "engine/base/input_file.h"
#include "engine/base/result.h"
#include "engine/formats/ggml_types.h"
#include "engine/formats/tensor_source.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sotto::formats {

/// Metadata value types, by their number in the file.
enum class GgufType : std::uint32_t {
    u8,
    i8,
    u16,
    i16,
    u32,
    i32,
    f32,
    boolean,
    string,
    array,
    u64,
    i64,
    f64
};
const char* gguf_type_name(GgufType type);

using GgufTensor = StoredTensor;

/// A metadata value: where its bytes are in the header. Checked when the header was read.
struct GgufValue {
    GgufType type{};
    GgufType element_type{}; // of arrays; else as type
    std::uint64_t n_elements = 1;
    std::uint64_t offset = 0; // of the first element
};

/// A parsed header (of the first part, where there are several) and the open files. Immutable; any
/// thread.
class GgufFile final : public TensorFiles {
  public:
    /// `path` is UTF-8; with a part of a set all parts are opened. Errors: io, bad_file,
    /// unsupported (another version, byte order or tensor type), no_memory; their messages name the
    /// file.
    static Result<std::unique_ptr<GgufFile>> open(const std::string& path);

    [[nodiscard]] std::uint32_t version() const { return version_; }
    [[nodiscard]] const std::vector<std::pair<std::string, GgufValue>>& metadata() const {
        return metadata_;
    }
    [[nodiscard]] const GgufValue* find(std::string_view key) const;

    // Typed readers: nullopt if the key is missing; an Error naming key, wanted and found type
    // otherwise. Integers of any width and sign are taken where the value fits; a float is no
    // integer.
    [[nodiscard]] Result<std::optional<std::int64_t>> get_int(std::string_view key) const;
    [[nodiscard]] Result<std::optional<double>>
    get_float(std::string_view key) const; // integers too
    [[nodiscard]] Result<std::optional<bool>> get_bool(std::string_view key) const;
    [[nodiscard]] Result<std::optional<std::string>> get_string(std::string_view key) const;
    [[nodiscard]] Result<std::optional<std::vector<std::string>>>
    get_strings(std::string_view key) const;
    [[nodiscard]] Result<std::optional<std::vector<std::int64_t>>>
    get_ints(std::string_view key) const; // one number too; a list of booleans: 0 and 1
    [[nodiscard]] Result<std::optional<std::vector<float>>> get_floats(std::string_view key) const;
    /// For people, on one line of valid UTF-8: long values and lists are cut at about max_bytes.
    [[nodiscard]] std::string value_text(const GgufValue& value, std::size_t max_bytes) const;

  private:
    friend class GgufParser;
    friend class GgufSet;
    explicit GgufFile(std::unique_ptr<InputFile> file);
    static Result<std::unique_ptr<GgufFile>> open_one(const std::string& path);
    [[nodiscard]] double number_at(GgufType type, std::uint64_t offset) const;
    [[nodiscard]] std::optional<std::int64_t> integer_at(GgufType type, std::uint64_t offset) const;
    [[nodiscard]] std::string_view string_at(std::uint64_t& offset) const;
    [[nodiscard]] std::string element_text(GgufType type, std::uint64_t& offset,
                                           std::size_t max_bytes) const;

    std::vector<std::byte> header_; // the file up to the tensor data
    std::uint32_t version_ = 0;
    std::vector<std::pair<std::string, GgufValue>> metadata_;
    // Views into the above. A tree: a hostile file could choose names that collide in a hash table.
    std::map<std::string_view, std::size_t> key_index_;
};

} // namespace sotto::formats
