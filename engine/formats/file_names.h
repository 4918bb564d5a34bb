// SPDX-License-Identifier: Apache-2.0
// Paths as UTF-8 strings. A separator is '/', and on Windows '\' as well.
#pragma once

#include "engine/base/result.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace sotto::formats {

/// "a/b" of "a/b/c", "." of "c", "/" of "/c".
std::string folder_of(std::string_view path);
/// "c" of "a/b/c".
std::string_view name_of(std::string_view path);
std::string join_path(const std::string& folder, std::string_view name);

/// Whether it names a file in the folder it is joined to and nothing else on any system: no
/// separators of either kind, no drive, not "..", no control characters, 1 to 255 bytes.
bool is_plain_name(std::string_view name);

/// False too if it cannot be found out.
bool path_exists(const std::string& path);
bool is_folder(const std::string& path);

/// All of a small file. Errors name the path: io, and bad_file for one that is empty or larger.
Result<std::string> read_text_file(const std::string& path, std::size_t max_bytes);

} // namespace sotto::formats
