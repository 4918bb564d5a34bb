// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/hub_folder.h"

#include "engine/formats/file_names.h"
#include "engine/formats/header_reader.h"
#include "engine/formats/hub_folder_reader.h"

#include <new>

namespace sotto::formats {
namespace {

// Bytes. The largest tokenizer.json are about 35 MB; the other files have a few kB each, but for
// tokenizer_config.json, which may list thousands of added tokens.
constexpr std::size_t kMaxTokenizer = 256 << 20;
constexpr std::size_t kMaxConfig = 32 << 20;
constexpr std::size_t kMaxTemplate = 4 << 20;

Result<json::Document> parse_file(const std::string& path, std::size_t max_bytes) {
    auto text = read_text_file(path, max_bytes);
    if (!text) {
        return std::move(text).error();
    }
    auto document = json::Document::parse(*text);
    if (!document) {
        return Error{document.error().code, "'" + path + "': " + document.error().message};
    }
    if (!document->root().is(json::Kind::object)) {
        return Error{ErrorCode::bad_file, "'" + path + "' holds " +
                                              json::kind_name(document->root().kind()) +
                                              ", an object is needed"};
    }
    return document;
}

std::optional<json::Value> root_of(const std::optional<json::Document>& document) {
    return document ? std::optional(document->root()) : std::nullopt;
}

} // namespace

Result<std::unique_ptr<HubFolder>> HubFolder::open(const std::string& path) {
    try {
        if (is_folder(path)) {
            return HubFolderReader(path, {}).run();
        }
        if (auto file = InputFile::open(path); !file) { // is it there at all?
            return std::move(file).error();
        }
        return HubFolderReader(folder_of(path), std::string(name_of(path))).run();
    } catch (const std::bad_alloc&) {
        return Error{ErrorCode::no_memory, "'" + path + "': no memory is left to read it"};
    }
}

std::optional<json::Value> HubFolder::tokenizer_config() const {
    return root_of(tokenizer_config_);
}

std::optional<json::Value> HubFolder::generation_config() const {
    return root_of(generation_config_);
}

Result<json::Document> HubFolder::read_tokenizer() const {
    const std::string path = join_path(path_, "tokenizer.json");
    try {
        return parse_file(path, kMaxTokenizer);
    } catch (const std::bad_alloc&) {
        return Error{ErrorCode::no_memory, "'" + path + "': no memory is left to read it"};
    }
}

const std::string* HubFolder::chat_template(std::string_view name) const {
    for (const NamedTemplate& t : templates_) {
        if (t.name == name) {
            return &t.text;
        }
    }
    return nullptr;
}

HubFolderReader::HubFolderReader(std::string folder, std::string chosen)
    : hub_(new HubFolder), chosen_(std::move(chosen)) {
    hub_->path_ = std::move(folder);
}

Result<std::unique_ptr<HubFolder>> HubFolderReader::run() {
    auto config = parse_file(file("config.json"), kMaxConfig);
    if (!config) {
        return std::move(config).error();
    }
    hub_->config_ = *std::move(config);
    for (Result<void> done : {read_object("tokenizer_config.json", hub_->tokenizer_config_),
                              read_object("generation_config.json", hub_->generation_config_)}) {
        if (!done) {
            return std::move(done).error();
        }
    }
    if (auto done = read_templates(); !done) {
        return std::move(done).error();
    }
    if (auto done = open_weights(); !done) {
        return std::move(done).error();
    }
    return std::move(hub_);
}

std::string HubFolderReader::file(std::string_view name) const {
    return join_path(hub_->path_, name);
}

Result<void> HubFolderReader::read_object(const char* name, std::optional<json::Document>& to) {
    if (!path_exists(file(name))) {
        return {};
    }
    auto document = parse_file(file(name), kMaxConfig);
    if (!document) {
        return std::move(document).error();
    }
    to = *std::move(document);
    return {};
}

Result<void> HubFolderReader::read_templates() {
    constexpr const char* kFile = "chat_template.jinja";
    if (path_exists(file(kFile))) {
        auto text = read_text_file(file(kFile), kMaxTemplate);
        if (!text) {
            return std::move(text).error();
        }
        add_template("default", *text);
    }
    const auto config = hub_->tokenizer_config();
    const auto value = config ? config->find("chat_template") : std::nullopt;
    if (!value || value->is(json::Kind::null)) {
        return {};
    }
    if (value->is(json::Kind::string)) {
        add_template("default", value->string());
    } else {
        read_template_list(*value);
    }
    return {};
}

void HubFolderReader::read_template_list(json::Value list) {
    bool is_right = list.is(json::Kind::array);
    for (std::size_t i = 0; is_right && i < list.size(); ++i) {
        const auto name = list.at(i).find("name");
        const auto text = list.at(i).find("template");
        is_right = name && text && name->is(json::Kind::string) && text->is(json::Kind::string);
        if (is_right) {
            add_template(name->string(), text->string());
        }
    }
    if (!is_right) {
        hub_->warnings_.push_back("'" + file("tokenizer_config.json") +
                                  "': 'chat_template' is neither a text nor a list of named texts");
    }
}

void HubFolderReader::add_template(std::string_view name, std::string_view text) {
    if (!hub_->chat_template(name)) { // the first counts
        hub_->templates_.push_back({std::string(name), std::string(text)});
    }
}

} // namespace sotto::formats
