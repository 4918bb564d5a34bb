// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/file_names.h"

#include <algorithm>
#include <filesystem>
#include <span>

namespace sotto::formats {
namespace {

#ifdef _WIN32
constexpr std::string_view kSeparators = "/\\";
#else
constexpr std::string_view kSeparators = "/";
#endif

std::filesystem::file_type type_of(const std::string& path) {
    std::error_code ignored;
    return std::filesystem::status(std::u8string(path.begin(), path.end()), ignored).type();
}

} // namespace

std::string folder_of(std::string_view path) {
    const std::size_t cut = path.find_last_of(kSeparators);
    if (cut == std::string_view::npos) {
        return ".";
    }
    return std::string(path.substr(0, std::max<std::size_t>(cut, 1)));
}

std::string_view name_of(std::string_view path) {
    const std::size_t cut = path.find_last_of(kSeparators);
    return cut == std::string_view::npos ? path : path.substr(cut + 1);
}

std::string join_path(const std::string& folder, std::string_view name) {
    std::string path = folder;
    if (!path.empty() && kSeparators.find(path.back()) == std::string_view::npos) {
        path += '/';
    }
    return path.append(name);
}

bool is_plain_name(std::string_view name) {
    constexpr std::size_t kMaxName = 255;
    return !name.empty() && name.size() <= kMaxName && name != "." && name != ".." &&
           std::ranges::none_of(name, [](char c) {
               return c == '/' || c == '\\' || c == ':' || static_cast<unsigned char>(c) < 0x20;
           });
}

bool path_exists(const std::string& path) {
    std::error_code ignored;
    const auto link =
        std::filesystem::symlink_status(std::u8string(path.begin(), path.end()), ignored);
    return link.type() != std::filesystem::file_type::not_found;
}

bool is_folder(const std::string& path) {
    return type_of(path) == std::filesystem::file_type::directory;
}

std::vector<std::string> names_in(const std::string& folder) {
    constexpr std::size_t kMax = 1000;
    std::vector<std::string> names;
    std::error_code failed;
    std::filesystem::directory_iterator it(std::u8string(folder.begin(), folder.end()), failed);
    for (; !failed && it != std::filesystem::directory_iterator() && names.size() < kMax;
         it.increment(failed)) {
        const std::u8string name = it->path().filename().u8string();
        names.emplace_back(name.begin(), name.end());
    }
    std::ranges::sort(names);
    return names;
}

std::string link_target(const std::string& path) {
    std::error_code failed;
    const auto target =
        std::filesystem::canonical(std::u8string(path.begin(), path.end()), failed).u8string();
    return failed ? std::string() : std::string(target.begin(), target.end());
}

Result<std::unique_ptr<InputFile>> open_file(const std::string& path) {
    auto file = InputFile::open(path);
    if (!file && type_of(path) == std::filesystem::file_type::not_found && path_exists(path)) {
        return Error{ErrorCode::io, "'" + path + "' is a link to a file that is not there"};
    }
    return file;
}

Result<std::string> read_text_file(const std::string& path, std::size_t max_bytes) {
    auto file = open_file(path);
    if (!file) {
        return std::move(file).error();
    }
    if ((*file)->size() > max_bytes) {
        return Error{ErrorCode::bad_file, "'" + path + "' has " + std::to_string((*file)->size()) +
                                              " bytes, at most " + std::to_string(max_bytes) +
                                              " are read of such a file"};
    }
    std::string text(static_cast<std::size_t>((*file)->size()), '\0');
    if (auto done = (*file)->read(0, std::as_writable_bytes(std::span(text))); !done) {
        return std::move(done).error();
    }
    return text;
}

} // namespace sotto::formats
