// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/tokenizer/tokenizer.h"

#include <string_view>

namespace sotto::chat {

/// A template of ours, for models that bring none that can be run.
struct BuiltIn {
    const char* name;
    const char* source; // Jinja
};

/// The family whose marks the vocabulary has or, where they are ordinary text, the model's own
/// template names; null if there is none.
const BuiltIn* find_built_in(const tokenizer::Tokenizer& tokenizer, std::string_view own_source);

} // namespace sotto::chat
