// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/aligned_buffer.h"
#include "engine/base/result.h"
#include "engine/model/weights.h"
#include "kernels/kernels.h"

#include <array>
#include <cstdint>
#include <initializer_list>

namespace sotto::model {

/// The next multiple of `to` from n on.
constexpr std::int64_t round_up(std::int64_t n, std::int64_t to) {
    return (n + to - 1) / to * to;
}

/// The matrices that the same rows are multiplied with.
using Users = std::initializer_list<const Matrix*>;

/// A step's activation rows as int8: quantised once for all matrices that take them, then packed
/// once for each weight type among these. During a step each worker writes its own rows.
class QuantizedRows {
  public:
    /// For max_rows rows of n_cols; more than one weight type only for n_cols_of_many. Fails for
    /// want of memory.
    Result<void> resize(std::int64_t max_rows, std::int64_t n_cols, std::int64_t n_cols_of_many);
    /// Row `row` from x[n]. Only where needed_by() the users.
    void quantize(const kernels::KernelTable& kernel, const float* x, std::int64_t n,
                  std::int64_t row);
    /// Packs rows begin..end of n_rows, which have been quantised; begin is a multiple of
    /// kernels::kPackedRows.
    void pack(const kernels::KernelTable& kernel, Users users, std::int64_t begin, std::int64_t end,
              std::int64_t n_rows);
    /// The first n_rows rows for users[i]; x are the floats that they were made from.
    [[nodiscard]] kernels::Activations view(Users users, std::size_t i, std::int64_t n_rows,
                                            const float* x, std::int64_t x_stride) const;
    [[nodiscard]] static bool needed_by(Users users);

  private:
    /// Which buffer users[i] reads: that of the first of its type.
    [[nodiscard]] static std::size_t slot(Users users, std::size_t i);

    AlignedBuffer q_, d_, sum_;
    std::array<AlignedBuffer, 3> packed_;
    std::int64_t q_stride_ = 0, d_stride_ = 0;
};

} // namespace sotto::model
