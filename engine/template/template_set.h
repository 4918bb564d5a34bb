// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/template/chat_template.h"

#include <map>
#include <memory>
#include <string>

namespace sotto::chat {

/// The chat templates that a model brings, by name, picked as transformers picks them: "tool_use"
/// for a chat with tools, where there is one, else "default". Immutable; any thread.
class TemplateSet {
  public:
    TemplateSet() = default;
    /// Name and Jinja source. The tokenizer must outlive the set.
    TemplateSet(const std::map<std::string, std::string>& sources,
                const tokenizer::Tokenizer& tokenizer);

    /// Fills what ModelInfo tells of templates and thinking.
    void describe(ModelInfo& info) const;
    /// unsupported if there is none that can be run; else as ChatTemplate::render().
    [[nodiscard]] Result<Rendered> render(std::span<const ChatMessage> messages,
                                          const ChatOptions& options) const;

  private:
    std::unique_ptr<ChatTemplate> default_, tool_use_; // may be null
    std::string warning_;                              // sentences; why default_ is null
};

} // namespace sotto::chat
