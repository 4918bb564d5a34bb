// SPDX-License-Identifier: Apache-2.0
#include "engine/model/hub_text_part.h"

#include "engine/base/json.h"

#include <algorithm>

namespace sotto::model {
namespace {

/// Where the library that writes these folders has a settings object inside another, it leaves out
/// what equals the default of the object's class: the values of Gemma3TextConfig in
/// transformers/models/gemma3/configuration_gemma3.py (4.50 and later). The official folder of 4B
/// holds none of these keys, those of 12B and 27B some. hidden_size, intermediate_size and
/// num_hidden_layers have defaults too, of no released model: they must be there.
constexpr std::string_view kGemma3Defaults = R"({
    "model_type": "gemma3_text",
    "num_attention_heads": 8,
    "num_key_value_heads": 4,
    "head_dim": 256,
    "max_position_embeddings": 131072,
    "rms_norm_eps": 1e-6,
    "rope_theta": 1000000.0,
    "rope_local_base_freq": 10000.0,
    "query_pre_attn_scalar": 256,
    "sliding_window": 4096,
    "tie_word_embeddings": true
})";

constexpr std::string_view kImagePrefixes[] = {"vision_tower.", "multi_modal_projector.",
                                               "model.vision_tower.",
                                               "model.multi_modal_projector."};

json::Value gemma3_defaults() {
    static const json::Document document = *json::Document::parse(kGemma3Defaults);
    return document.root();
}

/// Newer folders give the bases of RoPE in an object.
bool is_given(const formats::HubConfig& text, std::string_view key) {
    return text.has(key) || (key.starts_with("rope_") && text.has("rope_parameters"));
}

void tell_defaults(const formats::HubConfig& text, json::Value defaults,
                   std::vector<std::string>& warnings) {
    std::string keys;
    for (std::size_t i = 0; i < defaults.size(); ++i) {
        if (!is_given(text, defaults.key(i))) {
            keys += (keys.empty() ? "" : ", ") + std::string(defaults.key(i));
        }
    }
    if (!keys.empty()) {
        warnings.push_back("config.json leaves these keys of 'text_config' to the defaults of "
                           "Gemma 3: " +
                           keys + ".");
    }
}

} // namespace

Result<formats::HubConfig> text_part(const formats::HubConfig& config,
                                     std::vector<std::string>& warnings) {
    const auto type = config.get_string("model_type");
    if (!type) {
        return type.error();
    }
    if (*type != "gemma3") {
        return config;
    }
    auto text = config.get_object("text_config");
    if (!text) {
        return std::move(text).error();
    }
    if (!*text) {
        return Error{ErrorCode::bad_file,
                     "key 'text_config' is missing: it says what the text part of a 'gemma3' is"};
    }
    tell_defaults(**text, gemma3_defaults(), warnings);
    return (*text)->with_defaults(gemma3_defaults());
}

std::vector<std::string> names_in_text_part(std::string_view name) {
    constexpr std::string_view kRoot = "model.";
    std::vector<std::string> names = {"language_model." + std::string(name)};
    if (name.starts_with(kRoot)) {
        names.push_back("model.language_model." + std::string(name.substr(kRoot.size())));
    }
    return names;
}

bool is_image_tensor(std::string_view name) {
    return std::ranges::any_of(kImagePrefixes,
                               [&](std::string_view prefix) { return name.starts_with(prefix); });
}

} // namespace sotto::model
