// SPDX-License-Identifier: Apache-2.0
#include "engine/model/registry.h"

#include "engine/model/models/llama.h"

#include <array>

namespace sotto::model {
namespace {

constexpr std::array<Architecture, 1> kArchitectures{{
    {"llama", llama::adjust, llama::bind, llama::plan},
}};

} // namespace

const Architecture* find_architecture(std::string_view name) {
    for (const Architecture& a : kArchitectures) {
        if (name == a.name) {
            return &a;
        }
    }
    return nullptr;
}

std::string known_architectures() {
    std::string text;
    for (const Architecture& a : kArchitectures) {
        text += (text.empty() ? "" : ", ") + std::string(a.name);
    }
    return text;
}

} // namespace sotto::model
