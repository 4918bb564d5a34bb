// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sotto::formats {

/// The path of one part of a model in several files, taken apart: "dir/m-00002-of-00003.gguf" is
/// {"dir/m", 2, 3, ".gguf"}. All parts lie in one folder and differ in `no` alone.
struct SplitName {
    std::string stem;
    std::uint32_t no = 1; // 1 to count
    std::uint32_t count = 1;
    std::string extension;

    /// Of another part of the set.
    [[nodiscard]] std::string path_of(std::uint32_t other_no) const;
};

/// The end of a part's name: "-00002-of-00003.gguf".
std::string split_ending(std::uint64_t no, std::uint64_t count, std::string_view extension);

/// Nullopt if the name is not that of a part.
std::optional<SplitName> parse_split_name(std::string_view path, std::string_view extension);

} // namespace sotto::formats
