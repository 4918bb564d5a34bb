// SPDX-License-Identifier: Apache-2.0
// Blocks of every weight type, widened bit for bit as another implementation does it
// (tests/reference/make_quant_fixtures.py), from the source and from the packed form.
#include "tests/kernels/weight_data.h"

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>

using namespace sotto::kernels;
using namespace sotto::kernels::test;

namespace {

struct Fixture {
    std::int64_t n_cols = 0;
    std::vector<std::uint8_t> row;
    std::vector<float> values;
};

/// [u32 n_cols] [a row as stored] [n_cols floats]
Fixture read_fixture(WeightType type) {
    std::ifstream in(SOTTO_TEST_DATA "/kernels/" + name(type) + ".bin", std::ios::binary);
    const std::vector<char> bytes((std::istreambuf_iterator<char>(in)), {});
    REQUIRE(bytes.size() > 4);
    std::uint32_t n_cols;
    std::memcpy(&n_cols, bytes.data(), 4);
    const std::size_t row_bytes = source_row_bytes(type, n_cols);
    REQUIRE(bytes.size() == 4 + row_bytes + 4 * static_cast<std::size_t>(n_cols));
    Fixture fixture;
    fixture.n_cols = n_cols;
    fixture.row.assign(bytes.begin() + 4,
                       bytes.begin() + 4 + static_cast<std::ptrdiff_t>(row_bytes));
    fixture.values.resize(n_cols);
    std::memcpy(fixture.values.data(), bytes.data() + 4 + row_bytes, 4 * fixture.values.size());
    return fixture;
}

} // namespace

TEST_CASE("every weight type is widened as another implementation widens it, bit for bit") {
    for (WeightType type : all_types()) {
        CAPTURE(name(type));
        const Fixture fixture = read_fixture(type);
        std::vector<float> got(fixture.values.size());
        dequantize_row(type, fixture.row.data(), fixture.n_cols, got.data());
        CHECK(same_bits(got, fixture.values));

        const auto group = aligned_bytes(packed_group_bytes(type, fixture.n_cols));
        pack_group(type, fixture.row.data(), 1, fixture.n_cols, group.get());
        std::fill(got.begin(), got.end(), NAN);
        unpack_row(type, group.get(), 0, fixture.n_cols, got.data());
        CHECK(same_bits(got, fixture.values));
    }
}
