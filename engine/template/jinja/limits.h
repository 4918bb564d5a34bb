// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace sotto::jinja {

/// What one rendering may use. A step is about one evaluated node, or 16 bytes looked through; the
/// default is used up within a second, and suffices for chats of thousands of turns with templates
/// that look at all turns again for each.
struct Limits {
    std::uint64_t max_steps = 20'000'000;
    std::size_t max_output_bytes = 16u << 20;  ///< the rendered text, and any string on the way
    std::size_t max_memory_bytes = 128u << 20; ///< strings, lists and dicts alive at once
    int max_depth = 400;                       ///< nested blocks, expressions and macro calls
};

inline constexpr std::size_t kMaxSourceBytes = 1u << 20;
inline constexpr int kMaxSourceDepth = 100; ///< blocks and brackets inside each other
inline constexpr int kMaxValueDepth = 200;  ///< lists and dicts inside each other
inline constexpr int kMaxJsonDepth = 100;

} // namespace sotto::jinja
