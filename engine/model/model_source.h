// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine.h"
#include "engine/formats/tensor_source.h"
#include "engine/model/config.h"
#include "engine/model/hub_names.h"
#include "engine/tokenizer/tokenizer.h"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sotto::model {

/// Of a metadata value, where it is listed.
inline constexpr std::size_t kShownBytes = 120;

/// What a model is made of, whatever its format: a GGUF file (or set of them), or a folder as model
/// hubs keep it. Reading only; immutable; any thread.
class ModelSource {
  public:
    virtual ~ModelSource() = default;
    /// What a person opened: the file or the folder, in UTF-8.
    [[nodiscard]] virtual const std::string& path() const = 0;
    [[nodiscard]] virtual const formats::TensorSource& tensors() const = 0;
    /// Oddities go to `warnings`, a sentence each.
    [[nodiscard]] virtual Result<ModelConfig> config(std::vector<std::string>& warnings) const = 0;
    /// Without the marks that have none of the embedding table's rows.
    [[nodiscard]] virtual Result<std::unique_ptr<tokenizer::Tokenizer>>
    tokenizer(std::size_t n_rows, std::vector<std::string>& warnings) const = 0;
    /// Name ("default", "tool_use", ...) and Jinja source.
    [[nodiscard]] virtual std::map<std::string, std::string> chat_templates() const = 0;
    /// How this source stores what GGUF calls `name`.
    [[nodiscard]] virtual StoredAs stored_as(std::string_view name,
                                             const ModelConfig& config) const = 0;
    /// For people.
    [[nodiscard]] virtual std::vector<MetadataEntry> metadata() const = 0;
};

/// `path` is a GGUF file, any part of a set of them, a folder, or a file in one.
Result<std::unique_ptr<ModelSource>> open_model_source(const std::string& path);

Result<std::unique_ptr<ModelSource>> open_gguf_source(const std::string& path);
Result<std::unique_ptr<ModelSource>> open_hub_source(const std::string& path);

} // namespace sotto::model
