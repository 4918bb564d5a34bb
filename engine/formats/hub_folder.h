// SPDX-License-Identifier: Apache-2.0
// A model as model hubs keep it: one folder with
//
//   config.json                    what the model is; must be there
//   model.safetensors              its weights, or
//   model.safetensors.index.json   ... in several files (safetensors_set.h)
//   tokenizer.json                 read when asked for
//   tokenizer_config.json          may hold "chat_template": a text, or a list of {name, template}
//   chat_template.jinja            goes before the former; additional_chat_templates/NAME.jinja
//   chat_template.json             {"chat_template": ...}; goes between the two
//   generation_config.json         end tokens and settings of sampling
//
// The last four may be missing; a file that is there must be right. Links to files elsewhere are
// followed (download caches are made of them), names out of a file never leave the folder.
#pragma once

#include "engine/base/json.h"
#include "engine/formats/tensor_source.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sotto::formats {

struct NamedTemplate {
    std::string name; // "default", "tool_use", ...
    std::string text;
};

/// Immutable; any thread.
class HubFolder {
  public:
    /// `path` (UTF-8) is the folder, or a file in it, or a folder of the hub client's cache
    /// (hub_cache.h); a weights file that is no part of what the
    /// index names is taken as the only one. Errors: io, bad_file, unsupported, no_memory; they
    /// name the file.
    static Result<std::unique_ptr<HubFolder>> open(const std::string& path);

    /// The folder.
    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] const TensorSource& tensors() const { return *tensors_; }
    /// An object.
    [[nodiscard]] json::Value config() const { return config_->root(); }
    // Objects, or nullopt if the file is missing.
    [[nodiscard]] std::optional<json::Value> tokenizer_config() const;
    [[nodiscard]] std::optional<json::Value> generation_config() const;
    /// Parses tokenizer.json, which can take half a second; a missing one is an Error.
    [[nodiscard]] Result<json::Document> read_tokenizer() const;
    [[nodiscard]] const std::vector<NamedTemplate>& chat_templates() const { return templates_; }
    /// Null if there is none of that name.
    [[nodiscard]] const std::string* chat_template(std::string_view name = "default") const;
    /// What was odd but no error, a sentence each.
    [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }

  private:
    friend class HubFolderReader;
    HubFolder() = default;
    std::string path_;
    std::unique_ptr<TensorSource> tensors_;
    std::optional<json::Document> config_, tokenizer_config_, generation_config_;
    std::vector<NamedTemplate> templates_;
    std::vector<std::string> warnings_;
};

} // namespace sotto::formats
