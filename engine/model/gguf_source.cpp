// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/gguf.h"
#include "engine/model/gguf_config.h"
#include "engine/model/model_source.h"
#include "engine/model/vocabulary.h"

namespace sotto::model {
namespace {

class GgufSource final : public ModelSource {
  public:
    explicit GgufSource(std::unique_ptr<formats::GgufFile> file) : file_(std::move(file)) {}

    [[nodiscard]] const std::string& path() const override { return file_->path(); }
    [[nodiscard]] const formats::TensorSource& tensors() const override { return *file_; }

    [[nodiscard]] Result<ModelConfig> config(std::vector<std::string>& warnings) const override {
        return read_gguf_config(*file_, warnings);
    }

    [[nodiscard]] Result<std::unique_ptr<tokenizer::Tokenizer>>
    tokenizer(std::size_t n_rows, std::vector<std::string>& warnings) const override {
        auto vocabulary = read_vocabulary(*file_);
        if (!vocabulary) {
            return std::move(vocabulary).error();
        }
        return tokenizer::make_tokenizer(*std::move(vocabulary), warnings, n_rows);
    }

    /// "tokenizer.chat_template" is the default one, "tokenizer.chat_template.NAME" another.
    [[nodiscard]] std::map<std::string, std::string> chat_templates() const override {
        constexpr std::string_view kKey = "tokenizer.chat_template";
        std::map<std::string, std::string> sources;
        for (const auto& entry : file_->metadata()) {
            const std::string_view key = entry.first;
            const bool is_named = key.starts_with(kKey) && key.substr(kKey.size()).starts_with('.');
            if (key != kKey && !is_named) {
                continue;
            }
            if (auto text = file_->get_string(key); text && *text) {
                sources.emplace(is_named ? key.substr(kKey.size() + 1) : "default",
                                **std::move(text));
            }
        }
        return sources;
    }

    [[nodiscard]] StoredAs stored_as(std::string_view name, const ModelConfig&) const override {
        return {std::string(name)};
    }

    [[nodiscard]] std::vector<MetadataEntry> metadata() const override {
        std::vector<MetadataEntry> entries;
        for (const auto& [key, value] : file_->metadata()) {
            std::string type = formats::gguf_type_name(value.type);
            if (value.type == formats::GgufType::array) {
                type = "array of " + std::string(formats::gguf_type_name(value.element_type));
            }
            entries.push_back({key, std::move(type), file_->value_text(value, kShownBytes)});
        }
        return entries;
    }

  private:
    std::unique_ptr<formats::GgufFile> file_;
};

} // namespace

Result<std::unique_ptr<ModelSource>> open_gguf_source(const std::string& path) {
    auto file = formats::GgufFile::open(path);
    if (!file) {
        return std::move(file).error();
    }
    return std::unique_ptr<ModelSource>(std::make_unique<GgufSource>(*std::move(file)));
}

} // namespace sotto::model
