// SPDX-License-Identifier: Apache-2.0
#include "engine/model/quantized_rows.h"

#include <algorithm>
#include <utility>

namespace sotto::model {

Result<void> QuantizedRows::resize(std::int64_t max_rows, std::int64_t n_cols,
                                   std::int64_t n_cols_of_many) {
    const auto packed_bytes = [](std::int64_t cols) {
        return round_up(cols, kernels::kActBlock) / kernels::kActBlock *
               kernels::kPackedActBlockBytes;
    };
    q_stride_ = round_up(n_cols, 64);
    d_stride_ = round_up(q_stride_ / kernels::kActBlock, 16);
    const std::pair<AlignedBuffer*, std::int64_t> wanted[] = {
        {&q_, q_stride_},
        {&d_, d_stride_ * 4},
        {&sum_, d_stride_ * 8},
        {&packed_[0], packed_bytes(n_cols)},
        {&packed_[1], packed_bytes(n_cols_of_many)},
        {&packed_[2], packed_bytes(n_cols_of_many)}};
    for (const auto& [buffer, row_bytes] : wanted) {
        auto memory = AlignedBuffer::allocate(static_cast<std::size_t>(max_rows * row_bytes));
        if (!memory) {
            return std::move(memory).error();
        }
        *buffer = *std::move(memory);
    }
    return {};
}

void QuantizedRows::quantize(const kernels::KernelTable& kernel, const float* x, std::int64_t n,
                             std::int64_t row) {
    kernel.quantize_row(x, n, reinterpret_cast<std::int8_t*>(q_.data()) + row * q_stride_,
                        reinterpret_cast<float*>(d_.data()) + row * d_stride_,
                        reinterpret_cast<std::int32_t*>(sum_.data()) + row * 2 * d_stride_);
}

std::size_t QuantizedRows::slot(Users users, std::size_t i) {
    const auto type = users.begin()[i]->type;
    return static_cast<std::size_t>(
        std::ranges::find_if(users, [&](const Matrix* m) { return m->type == type; }) -
        users.begin());
}

void QuantizedRows::pack(const kernels::KernelTable& kernel, Users users, std::int64_t begin,
                         std::int64_t end, std::int64_t n_rows) {
    for (std::size_t i = 0; i < users.size(); ++i) {
        const Matrix& m = *users.begin()[i];
        const auto pack = kernel.pack_rows[static_cast<int>(m.type)];
        if (pack && slot(users, i) == i) {
            pack(view(users, i, n_rows, nullptr, 0), m.n_cols, begin, end, packed_[i].data());
        }
    }
}

kernels::Activations QuantizedRows::view(Users users, std::size_t i, std::int64_t n_rows,
                                         const float* x, std::int64_t x_stride) const {
    kernels::Activations a;
    a.n_rows = n_rows;
    a.x = x;
    a.x_stride = x_stride;
    a.q = reinterpret_cast<const std::int8_t*>(q_.data());
    a.q_stride = q_stride_;
    a.d = reinterpret_cast<const float*>(d_.data());
    a.d_stride = d_stride_;
    a.sum = reinterpret_cast<const std::int32_t*>(sum_.data());
    a.packed = packed_[slot(users, i)].data();
    return a;
}

bool QuantizedRows::needed_by(Users users) {
    return std::ranges::any_of(users, [](const Matrix* m) { return m->quantized(); });
}

} // namespace sotto::model
