// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"
#include "engine/formats/tensor_source.h"
#include "engine/model/hub_names.h"
#include "engine/model/weights.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace sotto::model {

/// How a load goes on: n_threads pack at once; `cancelled` is asked between pieces of about 1 MB;
/// on_progress gets packed source bytes, on the thread that called load_weights.
struct LoadControl {
    int n_threads = 1;
    std::function<bool()> cancelled;
    std::function<void(std::int64_t done, std::int64_t total)> on_progress;
};

/// Collects which tensors a model needs, then reads and packs them all in parallel. A missing
/// tensor, a wrong shape or a type without kernels is an Error naming it, before any memory is
/// spent.
class WeightLoader {
  public:
    /// `stored_as` turns the names that GGUF has into the source's; both outlive the loader.
    using Naming = std::function<StoredAs(std::string_view gguf_name)>;
    WeightLoader(const formats::TensorSource& file, Naming stored_as)
        : file_(file), stored_as_(std::move(stored_as)) {}

    // Each names a tensor, as GGUF does, and the place it goes to; the place must outlive load().
    // The first error is kept.
    void matrix(const std::string& name, std::int64_t n_rows, std::int64_t n_cols, Matrix& to);
    void vector(const std::string& name, std::int64_t n, Vector& to);
    [[nodiscard]] bool has(const std::string& name) const {
        return file_.find_tensor(stored_as_(name).name) != nullptr;
    }
    /// Tensors of the source that nothing asked for: a sign of a model that is not what we take it
    /// for.
    [[nodiscard]] std::vector<std::string> unused() const;

    /// The first error of what was asked for.
    [[nodiscard]] Result<void> check() const {
        return failed_ ? Result<void>(error_) : Result<void>();
    }
    /// Sum of the packed sizes of what was asked for.
    [[nodiscard]] std::int64_t packed_bytes() const;
    /// All of it; the packed matrices lie in `memory`, one after the other.
    Result<void> load(const LoadControl& control, AlignedBuffer& memory);

  private:
    struct Job {
        const formats::StoredTensor* tensor;
        StoredAs stored;
        Matrix* matrix; // or
        Vector* vector;
    };
    struct Piece {
        const Job* job;
        std::int64_t group_begin, group_end;
    };
    const formats::StoredTensor* find(const std::string& name,
                                      const std::vector<std::int64_t>& shape);
    /// Rows of the packed order, one after the other.
    Result<void> read_rows(const Job& job, std::int64_t begin, std::int64_t end,
                           std::span<std::byte> to) const;
    Result<void> allocate(AlignedBuffer& memory);
    [[nodiscard]] std::vector<Piece> cut_pieces() const;
    Result<std::int64_t> load_piece(const Piece& piece) const;
    Result<std::int64_t> load_vector(const Job& job) const;

    const formats::TensorSource& file_;
    const Naming stored_as_;
    std::vector<Job> jobs_;
    Error error_;
    bool failed_ = false;
};

} // namespace sotto::model
