// SPDX-License-Identifier: Apache-2.0
#include "engine/model/registry.h"

#include "engine/base/message.h"
#include "engine/model/models/gemma3.h"
#include "engine/model/models/llama.h"
#include "engine/model/models/qwen2.h"
#include "engine/model/models/qwen3.h"
#include "engine/model/models/smollm3.h"

#include <algorithm>
#include <array>

namespace sotto::model {
namespace {

constexpr std::array<Architecture, 5> kArchitectures{{
    {"llama", llama::kHubTypes, llama::read_gguf, llama::read_hub, llama::kHubTraits, llama::bind,
     llama::plan},
    {"smollm3", smollm3::kHubTypes, smollm3::read_gguf, smollm3::read_hub, smollm3::kHubTraits,
     smollm3::bind, smollm3::plan},
    {"qwen2", qwen2::kHubTypes, qwen2::read_gguf, qwen2::read_hub, qwen2::kHubTraits, qwen2::bind,
     qwen2::plan},
    {"qwen3", qwen3::kHubTypes, qwen3::read_gguf, qwen3::read_hub, qwen3::kHubTraits, qwen3::bind,
     qwen3::plan},
    {"gemma3", gemma3::kHubTypes, gemma3::read_gguf, gemma3::read_hub, gemma3::kHubTraits,
     gemma3::bind, gemma3::plan},
}};

Error unknown(std::string_view name, const std::vector<std::string_view>& known) {
    std::string list;
    for (const std::string_view one : known) {
        list += (list.empty() ? "" : ", ") + std::string(one);
    }
    return {ErrorCode::unsupported,
            "architecture " + message::quoted(name) + " is not supported; known are: " + list};
}

} // namespace

const Architecture* find_architecture(std::string_view name) {
    const auto it = std::ranges::find(kArchitectures, name, &Architecture::name);
    return it != kArchitectures.end() ? &*it : nullptr;
}

const Architecture* find_hub_architecture(std::string_view model_type) {
    const auto it = std::ranges::find_if(kArchitectures, [&](const Architecture& a) {
        return std::ranges::find(a.hub_types, model_type) != a.hub_types.end();
    });
    return it != kArchitectures.end() ? &*it : nullptr;
}

Error unknown_architecture(std::string_view name) {
    std::vector<std::string_view> known;
    for (const Architecture& a : kArchitectures) {
        known.emplace_back(a.name);
    }
    return unknown(name, known);
}

Error unknown_hub_architecture(std::string_view model_type) {
    std::vector<std::string_view> known;
    for (const Architecture& a : kArchitectures) {
        known.insert(known.end(), a.hub_types.begin(), a.hub_types.end());
    }
    return unknown(model_type, known);
}

} // namespace sotto::model
