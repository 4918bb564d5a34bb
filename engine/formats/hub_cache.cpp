// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/hub_cache.h"

#include "engine/base/message.h"
#include "engine/formats/file_names.h"

#include <algorithm>

namespace sotto::formats {
namespace {

constexpr std::string_view kModels = "models--";
constexpr std::string_view kSnapshots = "snapshots";

std::string current_revision(const std::string& folder) {
    constexpr std::size_t kMaxRef = 4096;
    const std::string path = join_path(join_path(folder, "refs"), "main");
    auto text = path_exists(path) ? read_text_file(path, kMaxRef) : Result(std::string());
    if (!text) {
        return {};
    }
    text->erase(text->find_last_not_of(" \r\n") + 1);
    return *std::move(text);
}

Error several(const std::string& folder, const std::vector<std::string>& names) {
    constexpr std::size_t kMaxNamed = 4;
    std::string list;
    for (std::size_t i = 0; i < std::min(names.size(), kMaxNamed); ++i) {
        list += (list.empty() ? "" : ", ") + message::quoted(names[i]);
    }
    return {ErrorCode::unsupported, "'" + folder + "' holds " + std::to_string(names.size()) +
                                        " snapshots and does not say which is the current one; "
                                        "open one of them: " +
                                        list + (names.size() > kMaxNamed ? ", ..." : "")};
}

} // namespace

Result<std::string> model_folder(const std::string& folder) {
    const std::string snapshots = join_path(folder, kSnapshots);
    if (path_exists(join_path(folder, "config.json")) || !is_folder(snapshots)) {
        return folder;
    }
    std::vector<std::string> names = names_in(snapshots);
    std::erase_if(names,
                  [&](const std::string& name) { return !is_folder(join_path(snapshots, name)); });
    if (names.empty()) {
        return folder;
    }
    if (names.size() == 1) {
        return join_path(snapshots, names.front());
    }
    const auto current = std::ranges::find(names, current_revision(folder));
    return current != names.end() ? Result(join_path(snapshots, *current)) : several(folder, names);
}

std::string name_in_cache(const std::string& folder) {
    const std::string snapshots = folder_of(folder);
    const std::string model(name_of(folder_of(snapshots)));
    if (name_of(snapshots) != kSnapshots || !model.starts_with(kModels)) {
        return {};
    }
    return model.substr(model.rfind("--") + 2);
}

} // namespace sotto::formats
