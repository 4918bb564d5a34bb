// SPDX-License-Identifier: Apache-2.0
#include "engine/base/philox.h"

#include <doctest/doctest.h>

using namespace sotto;

// The known answers that the authors publish with their library (Random123, kat_vectors).
TEST_CASE("Philox4x32-10 gives the published numbers") {
    using Counter = std::array<std::uint32_t, 4>;
    constexpr std::uint32_t ones = 0xFFFFFFFF;
    CHECK(philox4x32({0, 0, 0, 0}, {0, 0}) ==
          Counter{0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8});
    CHECK(philox4x32({ones, ones, ones, ones}, {ones, ones}) ==
          Counter{0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD});
    CHECK(philox4x32({0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344}, {0xA4093822, 0x299F31D0}) ==
          Counter{0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1});
}
