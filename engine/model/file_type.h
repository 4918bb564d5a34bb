// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace sotto::model {

/// What "general.file_type" of a GGUF file stands for: 15 is "Q4_K_M", the recipe by which each
/// tensor got its type and the name under which people know the file. Empty where it is not known.
/// Numbers: enum llama_ftype of llama.cpp.
std::string_view file_type_name(std::int64_t file_type);

} // namespace sotto::model
