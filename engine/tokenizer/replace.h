// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace sotto::tokenizer {

/// Appends `text` with `to` for each `from`, which is not empty.
inline void append_replaced(std::string_view text, std::string_view from, std::string_view to,
                            std::string& out) {
    std::size_t done = 0;
    for (std::size_t at = 0; (at = text.find(from, done)) != std::string_view::npos;
         done = at + from.size()) {
        out += text.substr(done, at - done);
        out += to;
    }
    out += text.substr(done);
}

} // namespace sotto::tokenizer
