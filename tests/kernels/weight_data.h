// SPDX-License-Identifier: Apache-2.0
// Weights and activations for the tests of the products: pseudo-random, the same on every machine.
#pragma once

#include "kernels/kernels.h"

#include <cmath>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <vector>

namespace sotto::kernels::test {

/// splitmix64
class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    std::uint64_t next() {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
        z = (z ^ z >> 27) * 0x94d049bb133111ebu;
        return z ^ z >> 31;
    }
    std::int64_t below(std::int64_t n) {
        return static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(n));
    }
    /// -1..1, a multiple of 2^-20
    float real() { return static_cast<float>(below(2097153) - 1048576) * 0x1p-20f; }

  private:
    std::uint64_t state_;
};

struct AlignedDelete {
    void operator()(std::uint8_t* p) const { ::operator delete[](p, std::align_val_t{64}); }
};
using AlignedBytes = std::unique_ptr<std::uint8_t[], AlignedDelete>;
inline AlignedBytes aligned_bytes(std::size_t n) {
    return AlignedBytes(static_cast<std::uint8_t*>(::operator new[](n, std::align_val_t{64})));
}

/// What the blocks of a matrix look like; scales are finite except in none.
enum class Blocks {
    ordinary,
    all_max,
    all_min,
    zero_scale,
    denormal_scale,
    huge_scale,
    any_finite
};
inline constexpr Blocks kAllBlocks[] = {
    Blocks::ordinary,       Blocks::all_max,    Blocks::all_min,   Blocks::zero_scale,
    Blocks::denormal_scale, Blocks::huge_scale, Blocks::any_finite};

inline std::uint16_t f16_scale(Blocks kind, Random& random) {
    const auto sign = static_cast<std::uint16_t>(random.below(2) << 15);
    switch (kind) {
    case Blocks::zero_scale:
        return sign;
    case Blocks::denormal_scale:
        return static_cast<std::uint16_t>(sign | (1 + random.below(0x3ff)));
    case Blocks::huge_scale:
        return static_cast<std::uint16_t>(sign | (0x7b00 + random.below(0x100)));
    case Blocks::any_finite:
        return static_cast<std::uint16_t>(sign | random.below(0x7c00));
    default:
        return static_cast<std::uint16_t>(sign | (0x2000 + random.below(0x400)));
    }
}

/// Where a block of the file holds its f16 values, -1 for none.
inline void scale_positions(WeightType type, int& d, int& m) {
    d = type == WeightType::Q6_K   ? 208
        : type == WeightType::Q2_K ? 80
        : type == WeightType::Q3_K ? 108
                                   : 0;
    const bool has_min = type == WeightType::Q4_1 || type == WeightType::Q5_1 ||
                         type == WeightType::Q4_K || type == WeightType::Q5_K ||
                         type == WeightType::Q2_K;
    m = has_min ? d + 2 : -1;
}

/// n_rows rows as a file stores them.
inline std::vector<std::uint8_t> source_rows(WeightType type, std::int64_t n_rows,
                                             std::int64_t n_cols, Blocks kind, Random& random) {
    std::vector<std::uint8_t> rows(static_cast<std::size_t>(n_rows) *
                                   source_row_bytes(type, n_cols));
    const auto block_bytes = static_cast<std::size_t>(traits(type).block_bytes);
    for (auto& byte : rows)
        byte = kind == Blocks::all_max   ? 0xff
               : kind == Blocks::all_min ? 0
                                         : static_cast<std::uint8_t>(random.next());
    if (type == WeightType::Q8_0 && (kind == Blocks::all_max || kind == Blocks::all_min))
        for (auto& byte : rows)
            byte = kind == Blocks::all_max ? 127 : 0x80;
    for (std::size_t i = 0; i < rows.size(); i += block_bytes) {
        if (type == WeightType::F32) {
            const float value = random.real() * (kind == Blocks::denormal_scale ? 0x1p-130f : 1.0f);
            std::memcpy(&rows[i], &value, 4);
            continue;
        }
        if (type == WeightType::BF16) { // any exponent but the largest 16
            const auto value = static_cast<std::uint16_t>((random.below(2) << 15) |
                                                          (0x3a00 + random.below(0x800)));
            std::memcpy(&rows[i], &value, 2);
            continue;
        }
        int d, m;
        scale_positions(type, d, m);
        const std::uint16_t scale = f16_scale(kind, random), min = f16_scale(kind, random);
        std::memcpy(&rows[i + static_cast<std::size_t>(d)], &scale, 2);
        if (m >= 0)
            std::memcpy(&rows[i + static_cast<std::size_t>(m)], &min, 2);
    }
    return rows;
}

/// A packed matrix of n_rows rows.
struct PackedMatrix {
    PackedMatrix(WeightType weight_type, std::int64_t rows, std::int64_t cols, Blocks kind,
                 Random& random)
        : type(weight_type), n_rows(rows), n_cols(cols), n_groups((rows + 15) / 16),
          source(source_rows(type, rows, cols, kind, random)),
          packed(
              aligned_bytes(static_cast<std::size_t>(n_groups) * packed_group_bytes(type, cols))) {
        for (std::int64_t g = 0; g < n_groups; ++g)
            pack_group(type,
                       &source[static_cast<std::size_t>(g * 16) * source_row_bytes(type, cols)],
                       static_cast<int>(rows - g * 16 < 16 ? rows - g * 16 : 16), cols,
                       packed.get() + static_cast<std::size_t>(g) * packed_group_bytes(type, cols));
    }
    WeightType type;
    std::int64_t n_rows, n_cols, n_groups;
    std::vector<std::uint8_t> source;
    AlignedBytes packed;
};

/// Activations in both forms; float rows start `shift` floats after a 64-byte boundary.
struct ActivationData {
    ActivationData(std::int64_t rows, std::int64_t n_cols, int shift, float size,
                   const KernelTable& table, Random& random)
        : stride(n_cols + 3), q_stride((n_cols + 63) / 64 * 64), d_stride((n_cols + 31) / 32 + 1),
          x(static_cast<std::size_t>(rows * stride + shift)),
          q(static_cast<std::size_t>(rows * q_stride)),
          d(static_cast<std::size_t>(rows * d_stride)), sum(2 * d.size()) {
        for (auto& value : x)
            value = random.real() * size;
        view = {rows, x.data() + shift, stride, q.data(), q_stride, d.data(), d_stride, sum.data()};
        for (std::int64_t i = 0; i < rows; ++i)
            table.quantize_row(view.x + i * stride, n_cols, q.data() + i * q_stride,
                               d.data() + i * d_stride, sum.data() + 2 * i * d_stride);
    }
    std::int64_t stride, q_stride, d_stride;
    std::vector<float> x;
    std::vector<std::int8_t> q;
    std::vector<float> d;
    std::vector<std::int32_t> sum;
    Activations view;
};

/// y[n_activations][n_groups * 16 + 5], filled with a pattern where nothing was written.
inline std::vector<float> multiply(const KernelTable& table, const PackedMatrix& w,
                                   const Activations& a, std::int64_t begin, std::int64_t end) {
    const std::int64_t ldy = w.n_groups * 16 + 5;
    std::vector<float> y(static_cast<std::size_t>(a.n_rows * ldy), -12345.0f);
    Activations rows = a;
    std::vector<std::uint8_t> packed(
        static_cast<std::size_t>(a.n_rows * (w.n_cols / 32) * kPackedActBlockBytes));
    rows.packed = packed.data();
    if (const auto pack = table.pack_rows[static_cast<int>(w.type)])
        for (std::int64_t i = 0; i < a.n_rows; i += kPackedRows)
            pack(a, w.n_cols, i, std::min(i + kPackedRows, a.n_rows), packed.data());
    table.matmul[static_cast<int>(w.type)](w.packed.get(), w.n_cols, begin, end, rows, y.data(),
                                           ldy);
    return y;
}

inline bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
    if (a.size() != b.size())
        return false;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (std::isnan(a[i]) && std::isnan(b[i]))
            continue; // which NaN is not promised
        if (std::memcmp(&a[i], &b[i], sizeof(float)) != 0)
            return false;
    }
    return true;
}

// For messages: doctest prints a char pointer as a number.
inline std::string name(Isa isa) {
    return isa_name(isa);
}
inline std::string name(WeightType type) {
    return traits(type).name;
}

inline std::vector<WeightType> all_types() {
    std::vector<WeightType> types;
    for (int i = 0; i < kNWeightTypes; ++i)
        types.push_back(static_cast<WeightType>(i));
    return types;
}

inline std::vector<Isa> vector_levels() {
    std::vector<Isa> isas = supported_isas();
    isas.erase(isas.begin()); // scalar
    return isas;
}

} // namespace sotto::kernels::test
