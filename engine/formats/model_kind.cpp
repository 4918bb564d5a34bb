// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/model_kind.h"

#include "engine/base/input_file.h"
#include "engine/base/message.h"
#include "engine/formats/file_kind.h"
#include "engine/formats/file_names.h"
#include "engine/formats/hub_cache.h"

#include <algorithm>
#include <array>
#include <span>

namespace sotto::formats {
namespace {

Error without_config(const std::string& path) {
    const std::string folder = is_folder(path) ? path : folder_of(path);
    std::string message = folder == path ? "'" + path + "' is a folder without config.json"
                                         : "'" + path + "' has no config.json beside it";
    return {ErrorCode::bad_file, message + ", so it is no model" + other_weights(folder)};
}

bool belongs_to_folder(std::string_view name) {
    return name.ends_with(".safetensors") || name.ends_with(".json") || name.ends_with(".jinja") ||
           name == "tokenizer.model";
}

} // namespace

std::string other_weights(const std::string& folder) {
    for (const std::string& name : names_in(folder)) {
        if (name.ends_with(".gguf")) {
            return "; it holds " + message::quoted(name) +
                   ", a GGUF file, which can be opened by itself";
        }
        if (const std::string_view kind = guess_file_kind_by_name(name); !kind.empty()) {
            return "; it holds " + message::quoted(name) + ", " + std::string(kind);
        }
    }
    return {};
}

Result<ModelKind> find_model_kind(const std::string& path) {
    const std::string name(name_of(path));
    if (is_folder(path)) {
        const auto folder = model_folder(path);
        if (!folder) {
            return folder.error();
        }
        return path_exists(join_path(*folder, "config.json")) ? Result(ModelKind::hub_folder)
                                                              : without_config(*folder);
    }
    auto file = open_file(path);
    if (!file) {
        return std::move(file).error();
    }
    std::array<char, 4> front{};
    const auto n = std::min<std::uint64_t>(front.size(), (*file)->size());
    if (auto done = (*file)->read(0, std::as_writable_bytes(std::span(front)).first(n)); !done) {
        return std::move(done).error();
    }
    if (std::string_view(front.data(), n) == "GGUF" || !belongs_to_folder(name)) {
        return ModelKind::gguf; // whose reader says what the others are
    }
    return path_exists(join_path(folder_of(path), "config.json")) ? Result(ModelKind::hub_folder)
                                                                  : without_config(path);
}

} // namespace sotto::formats
