// SPDX-License-Identifier: Apache-2.0
// How a JSON document lies in memory: for json.cpp and json_parser.cpp only.
#pragma once

#include "engine/base/json.h"

#include <string>
#include <vector>

namespace sotto::json {

/// 16 bytes. `size` counts bytes of a string, elements of an array, members of an object.
struct Node {
    struct Place {
        std::uint32_t first; // in Storage::text, or in Storage::nodes
        std::uint32_t order; // objects of more than kMaxUnsorted members: in Storage::order
    };
    Kind kind = Kind::null;
    std::uint32_t size = 0;
    union {
        std::int64_t integer = 0;
        double real;
        bool boolean;
        Place place;
    };
};

constexpr std::uint32_t kMaxUnsorted = 8; // up to here looking at each key is as quick

struct Storage {
    std::string text; // of all strings, one after another
    // What is in an array or object lies side by side (an object: key, value, key, value ...),
    // after whatever is in its elements; the root is last.
    std::vector<Node> nodes;
    std::vector<std::uint32_t> order; // members of large objects, by key

    [[nodiscard]] std::string_view string(const Node& n) const {
        return n.kind == Kind::string ? std::string_view(text).substr(n.place.first, n.size)
                                      : std::string_view();
    }
    /// Of member i of an object.
    [[nodiscard]] std::string_view key(const Node& object, std::size_t i) const {
        return string(nodes[object.place.first + 2 * i]);
    }
};

} // namespace sotto::json
