// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sotto::chat {

/// The constant texts of a Jinja source, in order: its string literals with their escapes taken
/// back, literals that + or ~ join as one, and what stands outside of tags. Any source, broken ones
/// too; linear.
std::vector<std::string> constant_texts(std::string_view source);

} // namespace sotto::chat
