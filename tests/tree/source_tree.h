// SPDX-License-Identifier: Apache-2.0
// The tree as the checks see it: every text file of the repository, read once.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace tree {

struct SourceFile {
    std::string path; ///< relative to the root, with forward slashes
    std::string text;
};

using Faults = std::vector<std::string>; ///< one line each: "path: what is wrong"

inline bool in_folder(std::string_view path, std::string_view folder) {
    return path.size() > folder.size() && path.substr(0, folder.size()) == folder &&
           path[folder.size()] == '/';
}

inline bool ends_with_any(std::string_view path, std::initializer_list<std::string_view> ends) {
    return std::any_of(ends.begin(), ends.end(), [&](auto end) { return path.ends_with(end); });
}

inline bool is_cpp(std::string_view path) {
    return ends_with_any(path, {".cpp", ".h"});
}
inline bool is_cmake(std::string_view path) {
    return ends_with_any(path, {"CMakeLists.txt", ".cmake", "CMakePresets.json"});
}

inline std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    std::istringstream in{std::string(text)};
    for (std::string line; std::getline(in, line);)
        lines.push_back(line);
    return lines;
}

namespace detail {

inline bool skipped_folder(const std::string& name) {
    return name == ".git" || name == ".cache" || name == "__pycache__" || name == "build" ||
           name.starts_with("build-");
}

inline bool looks_like_text(std::string_view bytes) {
    return bytes.substr(0, 4096).find('\0') == std::string_view::npos;
}

inline std::string read(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

} // namespace detail

/// Every text file below `root`, without build folders and git's own; sorted by path.
inline std::vector<SourceFile> read_tree(const std::filesystem::path& root) {
    namespace fs = std::filesystem;
    std::vector<SourceFile> files;
    auto entry = fs::recursive_directory_iterator(root);
    for (; entry != fs::recursive_directory_iterator(); ++entry) {
        if (entry->is_directory() && detail::skipped_folder(entry->path().filename().string()))
            entry.disable_recursion_pending();
        if (!entry->is_regular_file())
            continue;
        auto text = detail::read(entry->path());
        if (detail::looks_like_text(text))
            files.push_back({entry->path().lexically_relative(root).generic_string(), text});
    }
    std::sort(files.begin(), files.end(), [](auto& a, auto& b) { return a.path < b.path; });
    return files;
}

/// The tree that this program was built from.
inline const std::vector<SourceFile>& this_tree() {
    static const auto files = read_tree(SOTTO_SOURCE_DIR);
    return files;
}

/// Applies `check(file) -> Faults` to the whole tree.
template <typename Check>
Faults check_all(const Check& check) {
    Faults all;
    for (const auto& file : this_tree()) {
        auto faults = check(file);
        all.insert(all.end(), faults.begin(), faults.end());
    }
    return all;
}

/// For messages: all faults, a line each.
inline std::string joined(const Faults& faults) {
    std::string text;
    for (const auto& fault : faults)
        text += "\n  " + fault;
    return text;
}

} // namespace tree
