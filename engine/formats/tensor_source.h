// SPDX-License-Identifier: Apache-2.0
// Where weights come from, whatever the format: named tensors in one or several files.
#pragma once

#include "engine/base/input_file.h"
#include "engine/base/result.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sotto::formats {

/// In all files of a model together: far above any, and it bounds the memory that a large hostile
/// file can ask for.
constexpr std::size_t kMaxTensors = 1 << 18;

/// Checked when the header was read: the bytes lie within the file, and n_bytes is what shape and
/// type need.
struct StoredTensor {
    std::string name;
    std::vector<std::int64_t> shape; // shape[0] is the contiguous one: {n_cols, n_rows}
    std::uint32_t ggml_type = 0;     // ggml_types.h; safetensors too: F32 0, F16 1, BF16 30
    std::uint32_t file_index = 0;    // of the source's files
    std::uint64_t offset = 0;        // from the start of that file
    std::uint64_t n_bytes = 0;
    [[nodiscard]] std::int64_t n_elements() const;
};

/// Immutable; any thread.
class TensorSource {
  public:
    virtual ~TensorSource() = default;

    /// As it was opened, in UTF-8: a file or a folder.
    [[nodiscard]] virtual const std::string& path() const = 0;
    /// Of all files that hold tensors.
    [[nodiscard]] virtual std::uint64_t file_bytes() const = 0;
    [[nodiscard]] virtual const std::vector<StoredTensor>& tensors() const = 0;
    /// Null if there is none.
    [[nodiscard]] virtual const StoredTensor* find_tensor(std::string_view name) const = 0;
    /// Copies bytes [offset, offset + dst.size()) of one of tensors(). An Error naming tensor, file
    /// and position if the file shrank meanwhile or cannot be read.
    [[nodiscard]] virtual Result<void> read_tensor(const StoredTensor& tensor, std::uint64_t offset,
                                                   std::span<std::byte> dst) const = 0;
};

/// The open files and what is in them: what every format's reader fills.
class TensorFiles : public TensorSource {
  public:
    [[nodiscard]] const std::string& path() const override { return path_; }
    [[nodiscard]] std::uint64_t file_bytes() const override;
    [[nodiscard]] const std::vector<StoredTensor>& tensors() const override { return tensors_; }
    [[nodiscard]] const StoredTensor* find_tensor(std::string_view name) const override;
    [[nodiscard]] Result<void> read_tensor(const StoredTensor& tensor, std::uint64_t offset,
                                           std::span<std::byte> dst) const override;
    [[nodiscard]] const std::vector<std::unique_ptr<InputFile>>& files() const { return files_; }

  protected:
    /// After tensors_ is complete. A tensor whose name an earlier one has, or null.
    const StoredTensor* index_tensors();
    /// Takes over files and tensors of another source; index_tensors() comes after the last.
    void append(TensorFiles&& other);

    std::string path_;
    std::vector<std::unique_ptr<InputFile>> files_;
    std::vector<StoredTensor> tensors_;

  private:
    // Views into tensors_. A tree: a hostile file could choose names that collide in a hash table.
    std::map<std::string_view, std::size_t> index_;
};

} // namespace sotto::formats
