// SPDX-License-Identifier: Apache-2.0
// Hashes of products: every level of every machine must find the same. They change only together
// with kNumericsVersion.
#include "tests/kernels/weight_data.h"

#include <doctest/doctest.h>

using namespace sotto::kernels;
using namespace sotto::kernels::test;

namespace {

/// FNV-1a
std::uint64_t hash(std::uint64_t state, const void* data, std::size_t n_bytes) {
    for (std::size_t i = 0; i < n_bytes; ++i)
        state = (state ^ static_cast<const std::uint8_t*>(data)[i]) * 0x100000001b3u;
    return state;
}

/// Outputs of the same random matrix and activations, quantised by the level too.
std::uint64_t product_hash(const KernelTable& table, WeightType type) {
    Random random(static_cast<std::uint64_t>(type) + 100);
    std::uint64_t state = 0xcbf29ce484222325u;
    for (Blocks kind : {Blocks::ordinary, Blocks::denormal_scale, Blocks::huge_scale}) {
        const PackedMatrix w(type, 40, traits(type).quantized ? 768 : 77, kind, random);
        const ActivationData a(7, w.n_cols, 0, 5.0f, table, random);
        for (const float value : multiply(table, w, a.view, 0, w.n_groups)) {
            REQUIRE(std::isfinite(value)); // the promise is for finite results
            state = hash(state, &value, sizeof value);
        }
    }
    return state;
}

std::uint64_t quantize_hash(const KernelTable& table) {
    Random random(99);
    const ActivationData a(9, 333, 0, 7.0f, table, random);
    std::uint64_t state = hash(0xcbf29ce484222325u, a.q.data(), a.q.size());
    state = hash(state, a.d.data(), a.d.size() * sizeof(float));
    return hash(state, a.sum.data(), a.sum.size() * sizeof(std::int32_t));
}

// By WeightType, for kNumericsVersion 2.
constexpr std::uint64_t kProducts[kNWeightTypes] = {
    0xbeae8f6bc6476efcu, 0x163b17a83e233d69u, 0x4e6cb1bf8b6c2b33u, 0xc20262ce426e4b65u,
    0x6c5585dee94f5730u, 0xf926db8bff7cf6a7u, 0x2b56c09826f624c5u, 0xd9df004f534d203du,
    0x6a5c80aa135c023fu, 0x69b06b9ae4c0697bu, 0x5e1a9af873dafe19u, 0x627ac446259b4670u,
    0xa58af25745f6110fu, 0x8c31a2bbff4ba72bu, 0x7106be4981ad7ef0u,
};
constexpr std::uint64_t kQuantized = 0xbe0d0b70c59a8c7du;

} // namespace

TEST_CASE("products have the golden hashes on every level") {
    static_assert(kNumericsVersion == 3);
    for (Isa isa : supported_isas()) {
        CAPTURE(name(isa));
        CHECK(quantize_hash(kernel_table(isa)) == kQuantized);
        for (WeightType type : all_types()) {
            CAPTURE(name(type));
            CHECK(product_hash(kernel_table(isa), type) == kProducts[static_cast<int>(type)]);
        }
    }
}
