// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/hub_folder.h"

#include "engine/formats/file_names.h"
#include "engine/formats/header_reader.h"
#include "engine/formats/hub_cache.h"
#include "engine/formats/hub_folder_reader.h"

#include <new>

namespace sotto::formats {
namespace {

// Bytes. The largest tokenizer.json are about 35 MB; the other files have a few kB each, but for
// tokenizer_config.json, which may list thousands of added tokens.
constexpr std::size_t kMaxTokenizer = 256 << 20;
constexpr std::size_t kMaxConfig = 32 << 20;

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

/// What stands for it in older folders, as the end of a sentence.
std::string other_tokenizer(const std::string& folder) {
    const auto has = [&](const char* name) { return path_exists(join_path(folder, name)); };
    if (has("tokenizer.model")) {
        return "; it has tokenizer.model, which is not read";
    }
    return has("vocab.json") && has("merges.txt")
               ? "; it has vocab.json and merges.txt, which are not read"
               : "";
}

std::optional<json::Value> root_of(const std::optional<json::Document>& document) {
    return document ? std::optional(document->root()) : std::nullopt;
}

} // namespace

Result<std::unique_ptr<HubFolder>> HubFolder::open(const std::string& path) {
    try {
        if (is_folder(path)) {
            auto folder = model_folder(path);
            return folder ? HubFolderReader(*std::move(folder), {}).run()
                          : std::move(folder).error();
        }
        if (auto file = open_file(path); !file) { // is it there at all?
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
    if (!path_exists(path)) {
        return Error{ErrorCode::bad_file, "'" + path_ + "' has no tokenizer.json, which is needed" +
                                              other_tokenizer(path_)};
    }
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

} // namespace sotto::formats
