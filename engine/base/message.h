// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// Parts of sentences about what a file, a person or a network sent.
namespace sotto::message {

/// A name fit to be shown: in single quotes, valid UTF-8, no control characters, cut at 80 bytes.
[[nodiscard]] std::string quoted(std::string_view name);

/// "1 token", "3 tokens"
[[nodiscard]] std::string counted(std::size_t n, std::string_view what);

} // namespace sotto::message
