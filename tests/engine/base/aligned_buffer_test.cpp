// SPDX-License-Identifier: Apache-2.0
#include "engine/base/aligned_buffer.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>

using namespace sotto;

TEST_CASE("memory is aligned, zeroed and all of it usable") {
    // Below, at and above the sizes from which memory is mapped, and in huge pages
    for (const std::size_t n :
         {std::size_t{1}, std::size_t{63}, std::size_t{4096}, AlignedBuffer::kMappedFrom - 1,
          AlignedBuffer::kMappedFrom, AlignedBuffer::kHugeFrom - 1, AlignedBuffer::kHugeFrom,
          (std::size_t{5} << 20) + 3}) {
        auto buffer = AlignedBuffer::allocate(n);
        REQUIRE(buffer);
        CHECK(buffer->size() == n);
        CHECK(reinterpret_cast<std::uintptr_t>(buffer->data()) % AlignedBuffer::kAlignment == 0);
        const std::span bytes(buffer->data(), n);
        CHECK(std::ranges::all_of(bytes, [](std::byte b) { return b == std::byte{0}; }));
        std::ranges::fill(bytes, std::byte{0xFF});
    }
}

TEST_CASE("no bytes, and more than there can be") {
    const auto none = AlignedBuffer::allocate(0);
    REQUIRE(none);
    CHECK(none->size() == 0);
    const auto all = AlignedBuffer::allocate(std::numeric_limits<std::size_t>::max());
    REQUIRE(!all);
    CHECK(all.error().code == ErrorCode::no_memory);
    CHECK(all.error().message.find("18446744073709551615") != std::string::npos);
}

TEST_CASE("moving hands the memory over") {
    auto a = *AlignedBuffer::allocate(100);
    auto b = *AlignedBuffer::allocate(200);
    const std::byte* data = a.data();
    b = std::move(a);
    CHECK(b.data() == data);
    CHECK(b.size() == 100);
    const AlignedBuffer c = std::move(b);
    CHECK(c.data() == data);
}
