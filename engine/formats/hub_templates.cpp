// SPDX-License-Identifier: Apache-2.0
// Chat templates have stood in three places. The newest that has any counts alone, as for the
// library that writes these folders: an older one may be left over from another version.
#include "engine/formats/file_names.h"
#include "engine/formats/hub_folder_reader.h"

#include <algorithm>
#include <filesystem>

namespace sotto::formats {
namespace {

constexpr std::size_t kMaxTemplateBytes = 4 << 20;
constexpr std::size_t kMaxTemplateFiles = 100;

/// The names of the *.jinja files of a folder without that ending, sorted; none if there is no such
/// folder.
std::vector<std::string> template_names(const std::string& folder) {
    std::vector<std::string> names;
    std::error_code failed;
    std::filesystem::directory_iterator at(std::u8string(folder.begin(), folder.end()), failed);
    for (; !failed && at != std::filesystem::directory_iterator(); at.increment(failed)) {
        if (at->path().extension() == ".jinja") {
            const std::u8string stem = at->path().stem().u8string();
            names.emplace_back(stem.begin(), stem.end());
        }
    }
    std::ranges::sort(names);
    return names;
}

} // namespace

Result<void> HubFolderReader::read_templates() {
    if (auto done = read_template_files(); !done) {
        return done;
    }
    if (hub_->templates_.empty()) {
        constexpr const char* kJson = "chat_template.json";
        std::optional<json::Document> document;
        if (auto done = read_object(kJson, document); !done) {
            return done;
        }
        read_template_value(document ? std::optional(document->root()) : std::nullopt, kJson);
    }
    if (hub_->templates_.empty()) {
        read_template_value(hub_->tokenizer_config(), "tokenizer_config.json");
    }
    return {};
}

Result<void> HubFolderReader::read_template_files() {
    if (const std::string path = file("chat_template.jinja"); path_exists(path)) {
        if (auto done = add_template_file("default", path); !done) {
            return done;
        }
    }
    const std::string folder = file("additional_chat_templates");
    const std::vector<std::string> names = template_names(folder);
    if (names.size() > kMaxTemplateFiles) {
        return Error{ErrorCode::unsupported,
                     "'" + folder + "' has " + std::to_string(names.size()) +
                         " templates, at most " + std::to_string(kMaxTemplateFiles) + " are read"};
    }
    for (const std::string& name : names) {
        if (auto done = add_template_file(name, join_path(folder, name + ".jinja")); !done) {
            return done;
        }
    }
    return {};
}

Result<void> HubFolderReader::add_template_file(std::string_view name, const std::string& path) {
    auto text = read_text_file(path, kMaxTemplateBytes);
    if (!text) {
        return std::move(text).error();
    }
    add_template(name, *text);
    return {};
}

/// "chat_template" of an object: a text, or a list of {name, template}.
void HubFolderReader::read_template_value(std::optional<json::Value> object,
                                          const char* file_name) {
    const auto value = object ? object->find("chat_template") : std::nullopt;
    if (!value || value->is(json::Kind::null)) {
        return;
    }
    if (value->is(json::Kind::string)) {
        add_template("default", value->string());
    } else if (!add_template_list(*value)) {
        hub_->warnings_.push_back("'" + file(file_name) +
                                  "': 'chat_template' is neither a text nor a list of named texts");
    }
}

bool HubFolderReader::add_template_list(json::Value list) {
    bool is_right = list.is(json::Kind::array);
    for (std::size_t i = 0; is_right && i < list.size(); ++i) {
        const auto name = list.at(i).find("name");
        const auto text = list.at(i).find("template");
        is_right = name && text && name->is(json::Kind::string) && text->is(json::Kind::string);
        if (is_right) {
            add_template(name->string(), text->string());
        }
    }
    return is_right;
}

void HubFolderReader::add_template(std::string_view name, std::string_view text) {
    if (!hub_->chat_template(name)) { // the first counts
        hub_->templates_.push_back({std::string(name), std::string(text)});
    }
}

} // namespace sotto::formats
