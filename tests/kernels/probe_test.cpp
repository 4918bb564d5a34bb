// SPDX-License-Identifier: Apache-2.0
// The probes of benchmarks: they do what they say they did, within the memory they were given.
#include "kernels/kernels.h"

#include <doctest/doctest.h>

#include <vector>

using namespace sotto::kernels;

namespace {

/// Exactly as long as it has to be: a sanitizer sees a byte read beyond.
template <class T>
std::vector<T> counted_from(T first, std::size_t n) {
    std::vector<T> values;
    for (std::size_t i = 0; i < n; ++i) {
        values.push_back(static_cast<T>(first + static_cast<T>(i)));
    }
    return values;
}

} // namespace

TEST_CASE("the work of the product probe grows with its rounds") {
    const auto codes = counted_from<std::uint8_t>(1, 64);
    const auto x = counted_from<std::int8_t>(-16, 32);
    for (const Isa isa : supported_isas()) {
        CAPTURE(std::string(isa_name(isa)));
        const KernelTable& kernel = kernel_table(isa);
        std::int32_t sink = -1;
        CHECK(kernel.probe_products(0, codes.data(), x.data(), &sink) == 0);
        CHECK(sink == 0);
        const std::int64_t one = kernel.probe_products(1, codes.data(), x.data(), &sink);
        CHECK(one >= 2 * 32);
        CHECK(kernel.probe_products(1000, codes.data(), x.data(), &sink) == 1000 * one);
    }
}

TEST_CASE("the reading probe sees every byte of its memory, and none after it") {
    std::vector<std::uint8_t> memory(4096 + 512, 0);
    for (const Isa isa : supported_isas()) {
        CAPTURE(std::string(isa_name(isa)));
        const KernelTable& kernel = kernel_table(isa);
        const auto n_bytes = static_cast<std::int64_t>(memory.size());
        std::int32_t sink = -1;
        kernel.probe_read(memory.data(), n_bytes, &sink);
        CHECK(sink == 0);
        for (std::size_t i = 0; i < memory.size(); i += 512) { // a lane that the sink shows
            memory[i] = 1;
            kernel.probe_read(memory.data(), n_bytes, &sink);
            CHECK(sink > 0);
            memory[i] = 0;
        }
    }
}
