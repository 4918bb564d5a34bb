// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/file_names.h"

#include "engine/base/input_file.h"

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
    const auto type = type_of(path);
    return type != std::filesystem::file_type::none &&
           type != std::filesystem::file_type::not_found;
}

bool is_folder(const std::string& path) {
    return type_of(path) == std::filesystem::file_type::directory;
}

Result<std::string> read_text_file(const std::string& path, std::size_t max_bytes) {
    auto file = InputFile::open(path);
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
