// SPDX-License-Identifier: Apache-2.0
#include "kernels/fp_env.h"

#include <doctest/doctest.h>

#include <limits>
#include <thread>

using namespace sotto::kernels;

namespace {

bool keeps_denormals() {
    volatile float smallest = std::numeric_limits<float>::min(), half = 0.5f;
    volatile float denormal = smallest * half; // flushed as a result
    volatile float restored = denormal / half; // or taken for zero as an operand
    return denormal > 0.0f && restored == smallest;
}

struct FlushToZero {
    FlushToZero() { set_flush_to_zero(true); }
    ~FlushToZero() { set_flush_to_zero(false); }
};

} // namespace

TEST_CASE("DefaultFpEnv keeps denormals within its scope and restores what was before") {
    CHECK(keeps_denormals());
    const FlushToZero library;
    CHECK(!keeps_denormals());
    {
        const DefaultFpEnv outer;
        CHECK(keeps_denormals());
        {
            const DefaultFpEnv inner;
            CHECK(keeps_denormals());
        }
        CHECK(keeps_denormals());
    }
    CHECK(!keeps_denormals());
}

TEST_CASE("flush-to-zero is of one thread; DefaultFpEnv mends it in a thread that has it") {
    bool before = true, within = false;
    std::thread([&] {
        const FlushToZero library;
        before = keeps_denormals();
        const DefaultFpEnv scope;
        within = keeps_denormals();
    }).join();
    CHECK(!before);
    CHECK(within);
    CHECK(keeps_denormals());
}
