// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace sotto::formats {

/// What a file that is no model of ours seems to be, by its first bytes (64 are enough), as the end
/// of the sentence "it looks like"; empty if nothing is known about it.
std::string_view guess_file_kind(std::string_view front);
/// The same by the name's ending, for formats whose bytes say nothing: "model.onnx".
std::string_view guess_file_kind_by_name(std::string_view name);

} // namespace sotto::formats
