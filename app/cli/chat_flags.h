// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine.h"

#include <optional>
#include <string>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace sotto::cli {

/// "on", "off", "auto" (unset: as the template has it); false, and no change, for other words.
bool parse_think(const std::string& word, std::optional<bool>& think);

/// What a chat template is asked for beyond the messages.
struct ChatFlags {
    std::string think = "auto";
    std::string tools_file;

    void add_think_to(CLI::App& app, CLI::Option* needs = nullptr);
    void add_tools_to(CLI::App& app, CLI::Option* needs = nullptr);
    /// Reads the file of tools.
    [[nodiscard]] Result<ChatOptions> options() const;
};

/// Tells on stderr what is odd about the model's template, and where `think` asks for what it
/// cannot do.
void check_template(const ModelInfo& info, std::optional<bool> think);
/// The latter alone; false if so.
bool check_think(const ModelInfo& info, std::optional<bool> think);

/// --context-full.
void add_context_full_option(CLI::App& app, ContextFull& policy);

/// A rendered chat into `request`: prompt, marks of thinking. The notice goes to stderr unless it
/// is the one in `told`.
void take_chat(const Model& model, RenderedChat chat, RequestOptions& request, std::string& told);
/// The same of a chat that is rendered now.
Result<void> set_prompt(const Model& model, std::span<const ChatMessage> messages,
                        const ChatOptions& options, RequestOptions& request, std::string& told);

} // namespace sotto::cli
