// SPDX-License-Identifier: Apache-2.0
// Every level against the scalar definition, bit for bit; the definition against doubles.
#include "tests/kernels/weight_data.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

using namespace sotto::kernels;
using namespace sotto::kernels::test;

namespace {

const KernelTable& scalar() {
    return kernel_table(Isa::scalar);
}

std::vector<std::int64_t> widths(WeightType type) {
    if (!traits(type).quantized)
        return {1, 2, 3, 7, 15, 16, 17, 31, 32, 33, 64, 70, 481, 1000};
    if (traits(type).block_cols == 256)
        return {256, 512, 768, 1792};
    return {32, 64, 96, 256, 288, 512, 1440};
}

void compare_levels(const PackedMatrix& w, const Activations& a, std::int64_t begin,
                    std::int64_t end) {
    const auto expected = multiply(scalar(), w, a, begin, end);
    for (Isa isa : vector_levels()) {
        CAPTURE(name(isa));
        CHECK(same_bits(multiply(kernel_table(isa), w, a, begin, end), expected));
    }
}

/// Largest deviation of one output from the double product of the widened weights with what the
/// activations were rounded to, relative to the sum of magnitudes.
double deviation(const PackedMatrix& w, const ActivationData& a) {
    const auto y = multiply(scalar(), w, a.view, 0, w.n_groups);
    std::vector<float> row(static_cast<std::size_t>(w.n_cols));
    double worst = 0;
    for (std::int64_t out = 0; out < w.n_rows; ++out) {
        dequantize_row(
            w.type, &w.source[static_cast<std::size_t>(out) * source_row_bytes(w.type, w.n_cols)],
            w.n_cols, row.data());
        for (std::int64_t i = 0; i < a.view.n_rows; ++i) {
            double sum = 0, size = 1e-30;
            for (std::int64_t c = 0; c < w.n_cols; ++c) {
                const double x =
                    traits(w.type).quantized
                        ? static_cast<double>(a.q[static_cast<std::size_t>(i * a.q_stride + c)]) *
                              a.d[static_cast<std::size_t>(i * a.d_stride + c / 32)]
                        : a.view.x[i * a.stride + c];
                sum += x * row[static_cast<std::size_t>(c)];
                size += std::fabs(x * row[static_cast<std::size_t>(c)]);
            }
            const double got = y[static_cast<std::size_t>(i * (w.n_groups * 16 + 5) + out)];
            worst = std::max(worst, std::fabs(got - sum) / size);
        }
    }
    return worst;
}

} // namespace

TEST_CASE("levels give the scalar level's bits for every type, width and batch") {
    Random random(1);
    for (WeightType type : all_types()) {
        CAPTURE(name(type));
        for (std::int64_t n_cols : widths(type)) {
            CAPTURE(n_cols);
            const PackedMatrix w(type, 1 + random.below(64), n_cols, Blocks::ordinary, random);
            for (std::int64_t n = 1; n <= 19; ++n) {
                CAPTURE(n);
                const ActivationData a(n, n_cols, static_cast<int>(random.below(16)), 3.0f,
                                       scalar(), random);
                compare_levels(w, a.view, 0, w.n_groups);
            }
        }
    }
}

TEST_CASE("levels agree when a row is wider or a batch larger than one panel") {
    Random random(2);
    for (WeightType type : all_types()) {
        CAPTURE(name(type));
        const std::int64_t n_cols = 256 * 21; // beyond 32 rows' panel of 42 blocks
        const PackedMatrix w(type, 16, n_cols, Blocks::ordinary, random);
        for (std::int64_t n : {3, 33, 71}) {
            CAPTURE(n);
            const ActivationData a(n, n_cols, 1, 1.0f, scalar(), random);
            compare_levels(w, a.view, 0, 1);
        }
    }
}

TEST_CASE("a row beyond every panel") {
    Random random(3);
    for (WeightType type : {WeightType::Q4_0, WeightType::Q6_K, WeightType::F16}) {
        CAPTURE(name(type));
        const PackedMatrix w(type, 16, 256 * 250, Blocks::ordinary, random);
        for (std::int64_t n : {1, 2}) {
            const ActivationData a(n, w.n_cols, 0, 1.0f, scalar(), random);
            compare_levels(w, a.view, 0, 1);
        }
    }
}

TEST_CASE("levels agree on extreme blocks and activations") {
    Random random(4);
    for (WeightType type : all_types()) {
        CAPTURE(name(type));
        for (Blocks kind : kAllBlocks) {
            CAPTURE(static_cast<int>(kind));
            const PackedMatrix w(type, 32, 768, kind, random);
            for (float size : {1.0f, 1e-38f, 1e-25f, 1e-30f, 3e38f, 1e30f}) {
                CAPTURE(size);
                const ActivationData a(9, 768, 0, size, scalar(), random);
                compare_levels(w, a.view, 0, 2);
            }
        }
    }
}

TEST_CASE("levels agree where every activation is 127 or -127") {
    Random random(5);
    for (WeightType type : all_types()) {
        CAPTURE(name(type));
        for (Blocks kind : {Blocks::all_max, Blocks::all_min, Blocks::ordinary}) {
            const PackedMatrix w(type, 16, 512, kind, random);
            ActivationData a(11, 512, 0, 1.0f, scalar(), random);
            // Row 0 all 127, row 1 all -127 (the largest sums there are), the others mixed.
            for (std::size_t i = 0; i < a.x.size(); ++i) {
                const auto row = static_cast<std::int64_t>(i) / a.stride;
                a.x[i] = row == 0 || (row > 1 && i % 37 < 20) ? 2.0f : -2.0f;
            }
            for (std::int64_t i = 0; i < 11; ++i)
                scalar().quantize_row(a.x.data() + i * a.stride, 512, a.q.data() + i * a.q_stride,
                                      a.d.data() + i * a.d_stride,
                                      a.sum.data() + 2 * i * a.d_stride);
            compare_levels(w, a.view, 0, 1);
        }
    }
}

TEST_CASE("a product writes its groups only, and ranges and batches change no bit") {
    Random random(6);
    for (WeightType type : all_types()) {
        CAPTURE(name(type));
        const PackedMatrix w(type, 9 * 16, 256, Blocks::ordinary, random);
        const ActivationData a(13, 256, 2, 1.0f, scalar(), random);
        const auto whole = multiply(scalar(), w, a.view, 0, w.n_groups);
        const std::int64_t ldy = w.n_groups * 16 + 5;
        for (Isa isa : supported_isas()) {
            CAPTURE(name(isa));
            const KernelTable& table = kernel_table(isa);
            for (const auto& [begin, end] : {std::pair{0, 1}, {2, 7}, {8, 9}, {4, 4}}) {
                const auto part = multiply(table, w, a.view, begin, end);
                for (std::int64_t i = 0; i < 13 * ldy; ++i) {
                    const bool inside = i % ldy >= begin * 16 && i % ldy < end * 16;
                    REQUIRE(part[static_cast<std::size_t>(i)] ==
                            (inside ? whole[static_cast<std::size_t>(i)] : -12345.0f));
                }
            }
            Activations one = a.view;
            one.n_rows = 1;
            const auto alone = multiply(table, w, one, 0, w.n_groups);
            CHECK(std::equal(alone.begin(), alone.end(), whole.begin()));
        }
    }
}

TEST_CASE("rows that are missing in the last group give zero") {
    Random random(7);
    for (WeightType type : all_types()) {
        CAPTURE(name(type));
        for (std::int64_t n_rows = 1; n_rows < 16; ++n_rows) {
            const PackedMatrix w(type, n_rows, 256, Blocks::ordinary, random);
            const ActivationData a(2, 256, 0, 1.0f, scalar(), random);
            for (Isa isa : supported_isas()) {
                const auto y = multiply(kernel_table(isa), w, a.view, 0, 1);
                for (std::int64_t out = n_rows; out < 16; ++out)
                    CHECK(y[static_cast<std::size_t>(out)] == 0.0f);
            }
        }
    }
}

TEST_CASE("the definition is near the product in doubles") {
    Random random(8);
    for (WeightType type : all_types()) {
        CAPTURE(name(type));
        for (Blocks kind : {Blocks::ordinary, Blocks::all_max, Blocks::all_min, Blocks::huge_scale,
                            Blocks::denormal_scale}) {
            const PackedMatrix w(type, 40, 512, kind, random);
            const ActivationData a(3, 512, 0, 1.0f, scalar(), random);
            CHECK(deviation(w, a) < 5e-6);
        }
    }
}

TEST_CASE("a non-finite activation shows in the row it belongs to, and only there") {
    Random random(9);
    for (WeightType type : all_types()) {
        CAPTURE(name(type));
        const PackedMatrix w(type, 16, 256, Blocks::ordinary, random);
        ActivationData a(3, 256, 0, 1.0f, scalar(), random);
        a.x[static_cast<std::size_t>(a.stride + 70)] = INFINITY;
        for (Isa isa : supported_isas()) {
            const KernelTable& table = kernel_table(isa);
            for (std::int64_t i = 0; i < 3; ++i)
                table.quantize_row(a.x.data() + i * a.stride, 256, a.q.data() + i * a.q_stride,
                                   a.d.data() + i * a.d_stride, a.sum.data() + 2 * i * a.d_stride);
            const auto y = multiply(table, w, a.view, 0, 1);
            for (std::size_t out = 0; out < 16; ++out) {
                CHECK(std::isfinite(y[out]));
                CHECK_FALSE(std::isfinite(y[21 + out]));
                CHECK(std::isfinite(y[42 + out]));
            }
        }
    }
}
