// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace sotto::formats {

/// Storage types of tensors that exist in GGUF files, by their number there. A row of
/// `block_elements` elements takes `block_bytes` bytes. That a type is listed says that its size is
/// known, not that it runs.
struct GgmlType {
    std::uint32_t id;
    const char* name;
    std::uint32_t block_elements;
    std::uint32_t block_bytes;
};

/// Null for a number that no released format defines.
const GgmlType* find_ggml_type(std::uint32_t id);
/// "Q4_K", or "an unknown type".
const char* ggml_type_name(std::uint32_t id);

} // namespace sotto::formats
