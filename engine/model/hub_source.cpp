// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/hub_folder.h"
#include "engine/model/hub_config.h"
#include "engine/model/hub_text_part.h"
#include "engine/model/model_source.h"
#include "engine/model/registry.h"
#include "engine/tokenizer/tokenizer_json.h"

namespace sotto::model {
namespace {

std::string shown(json::Value value);

std::string list_text(json::Value value) {
    std::string text = "[";
    for (std::size_t i = 0; i < value.size() && text.size() < kShownBytes; ++i) {
        text += i > 0 ? ", " : "";
        text += value.is(json::Kind::object) ? std::string(value.key(i)) + ": " : "";
        text += shown(value.at(i));
    }
    return text + (text.size() < kShownBytes ? "]" : ", ...]");
}

std::string shown(json::Value value) {
    switch (value.kind()) {
    case json::Kind::null:
        return "null";
    case json::Kind::boolean:
        return value.boolean() ? "true" : "false";
    case json::Kind::integer:
        return std::to_string(value.integer());
    case json::Kind::real: {
        char text[40];
        std::snprintf(text, sizeof text, "%g", value.number());
        return text;
    }
    case json::Kind::string:
        return std::string(value.string().substr(0, kShownBytes));
    case json::Kind::array:
    case json::Kind::object:
        return list_text(value);
    }
    return {};
}

/// "eos_token_id": one number or a list.
void add_ends(std::optional<json::Value> object, std::vector<tokenizer::TokenId>& ends) {
    const auto value = object ? object->find("eos_token_id") : std::nullopt;
    if (!value) {
        return;
    }
    const auto add = [&ends](json::Value v) {
        if (v.is(json::Kind::integer) && v.integer() >= 0 && v.integer() < (1 << 30)) {
            ends.push_back(static_cast<tokenizer::TokenId>(v.integer()));
        }
    };
    add(*value);
    for (std::size_t i = 0; value->is(json::Kind::array) && i < value->size(); ++i) {
        add(value->at(i));
    }
}

class HubSource final : public ModelSource {
  public:
    explicit HubSource(std::unique_ptr<formats::HubFolder> folder) : folder_(std::move(folder)) {}

    [[nodiscard]] const std::string& path() const override { return folder_->path(); }
    [[nodiscard]] const formats::TensorSource& tensors() const override {
        return folder_->tensors();
    }

    [[nodiscard]] Result<ModelConfig> config(std::vector<std::string>& warnings) const override {
        warnings.insert(warnings.end(), folder_->warnings().begin(), folder_->warnings().end());
        const std::string where = "'" + folder_->path() + "/config.json'";
        auto config = read_hub_config(formats::HubConfig(folder_->config(), where), warnings);
        if (!config && !config.error().message.starts_with(where)) {
            return Error{config.error().code, where + ": " + config.error().message};
        }
        return config;
    }

    [[nodiscard]] Result<std::unique_ptr<tokenizer::Tokenizer>>
    tokenizer(std::size_t n_rows, std::vector<std::string>& warnings) const override {
        const auto document = folder_->read_tokenizer();
        if (!document) {
            return document.error();
        }
        tokenizer::HubFiles files{document->root(), folder_->tokenizer_config(), {}, n_rows};
        add_ends(folder_->generation_config(), files.more_eog);
        add_ends(folder_->config(), files.more_eog);
        return tokenizer::read_tokenizer_json(files, warnings);
    }

    [[nodiscard]] std::map<std::string, std::string> chat_templates() const override {
        std::map<std::string, std::string> sources;
        for (const formats::NamedTemplate& t : folder_->chat_templates()) {
            sources.emplace(t.name, t.text);
        }
        return sources;
    }

    [[nodiscard]] StoredAs stored_as(std::string_view name,
                                     const ModelConfig& config) const override {
        StoredAs stored =
            hub_tensor(name, find_architecture(config.architecture)->hub, config.head_dim);
        for (const std::string& other : names_in_text_part(stored.name)) {
            if (!tensors().find_tensor(stored.name) && tensors().find_tensor(other)) {
                stored.name = other;
            }
        }
        return stored;
    }

    [[nodiscard]] std::vector<MetadataEntry> metadata() const override {
        std::vector<MetadataEntry> entries;
        const json::Value config = folder_->config();
        for (std::size_t i = 0; i < config.size(); ++i) {
            std::string type = json::kind_name(config.at(i).kind());
            type = type.substr(type.find(' ') + 1); // "an integer"
            entries.push_back({std::string(config.key(i)), std::move(type), shown(config.at(i))});
        }
        return entries;
    }

  private:
    std::unique_ptr<formats::HubFolder> folder_;
};

} // namespace

Result<std::unique_ptr<ModelSource>> open_hub_source(const std::string& path) {
    auto folder = formats::HubFolder::open(path);
    if (!folder) {
        return std::move(folder).error();
    }
    return std::unique_ptr<ModelSource>(std::make_unique<HubSource>(*std::move(folder)));
}

} // namespace sotto::model
