// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

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

/// Types from here on are numbers of ours, for what safetensors files alone have.
constexpr std::uint32_t kFirstOwnType = 1 << 16;

/// Null for a number that no released format defines.
const GgmlType* find_ggml_type(std::uint32_t id);
const GgmlType* find_ggml_type(std::string_view name);
/// "Q4_K", or "an unknown type".
const char* ggml_type_name(std::uint32_t id);

} // namespace sotto::formats
