// SPDX-License-Identifier: Apache-2.0
// Paths as UTF-8 strings. A separator is '/', and on Windows '\' as well.
#pragma once

#include "engine/base/input_file.h"
#include "engine/base/result.h"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sotto::formats {

/// "a/b" of "a/b/c", "." of "c", "/" of "/c".
std::string folder_of(std::string_view path);
/// "c" of "a/b/c".
std::string_view name_of(std::string_view path);
std::string join_path(const std::string& folder, std::string_view name);

/// Whether it names a file in the folder it is joined to and nothing else on any system: no
/// separators of either kind, no drive, not "..", no control characters, 1 to 255 bytes.
bool is_plain_name(std::string_view name);

/// True too for a link to what is not there, and where it cannot be found out: opening it tells the
/// cause, while taking it for missing would hide it.
bool path_exists(const std::string& path);
bool is_folder(const std::string& path);

/// Where the links of a path lead in the end, as an absolute path; empty if nowhere.
std::string link_target(const std::string& path);
/// Names in a folder, sorted; of a huge folder only some, none of what is no folder.
std::vector<std::string> names_in(const std::string& folder);

/// InputFile::open(), whose error says where a link leads to nothing.
Result<std::unique_ptr<InputFile>> open_file(const std::string& path);
/// All of a small file. Errors name the path: io, and bad_file for one that is empty or larger.
Result<std::string> read_text_file(const std::string& path, std::size_t max_bytes);

} // namespace sotto::formats
