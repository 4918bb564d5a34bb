// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"
#include "engine/engine.h"
#include "engine/template/call_shape.h"
#include "engine/template/jinja/template.h"
#include "engine/tokenizer/tokenizer.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sotto::chat {

/// A rendered chat: which bytes the template wrote and which a person, a model or a tool did.
struct Rendered {
    std::string text;
    std::vector<tokenizer::Span> trusted;
    std::string notice; // a sentence, if it was not rendered as asked
};

/// A model's chat template. Where it is missing, cannot be read or fails, a built-in one of the
/// family whose marks the vocabulary has stands in. Immutable; any thread.
class ChatTemplate {
  public:
    /// `source`: Jinja, may be empty. `notice` gets a sentence where a built-in one stands in, or
    /// none can; it names `others`, templates for other uses. Null if there is none. The tokenizer
    /// must outlive the template.
    static std::unique_ptr<ChatTemplate> make(std::string source,
                                              const tokenizer::Tokenizer& tokenizer,
                                              std::string& notice, std::string_view others = {});

    /// "the model's own", "ChatML (built in)"
    [[nodiscard]] std::string name() const;
    [[nodiscard]] const std::string& source() const { return source_; }
    [[nodiscard]] ThinkingMarks thinking() const;
    [[nodiscard]] bool can_switch_thinking() const;

    /// bad_argument with the template's own words if it refuses the chat; tools that are no JSON
    /// list are bad_argument too. Content in parts is joined where the template takes no lists.
    [[nodiscard]] Result<Rendered> render(std::span<const ChatMessage> messages,
                                          const ChatOptions& options) const;

  private:
    ChatTemplate(std::string source, const tokenizer::Tokenizer& tokenizer)
        : source_(std::move(source)), tokenizer_(tokenizer) {}
    [[nodiscard]] Result<Rendered> render_once(std::span<const ChatMessage> messages,
                                               const ChatOptions& options) const;
    [[nodiscard]] Result<Rendered> run_own(std::span<const ChatMessage> messages,
                                           const ChatOptions& options) const;
    [[nodiscard]] Result<Rendered> run_calls(std::span<const ChatMessage> messages,
                                             const ChatOptions& options) const;
    [[nodiscard]] Result<Rendered> run(const jinja::Template& source,
                                       std::span<const ChatMessage> messages,
                                       const ChatOptions& options, CallShape shape = {}) const;

    std::string source_;
    const tokenizer::Tokenizer& tokenizer_;
    std::shared_ptr<const jinja::Template> own_;      // null if it cannot be read
    std::shared_ptr<const jinja::Template> built_in_; // null if no family fits
    std::string built_in_name_;
};

/// The tokens of a rendered chat. BOS exactly once where the tokenizer or the template wants it.
std::vector<tokenizer::TokenId> tokenize(const Rendered& chat,
                                         const tokenizer::Tokenizer& tokenizer);

/// The text ends within a thought: it opens one that it does not close.
bool ends_in_thought(std::string_view text, const ThinkingMarks& marks);

} // namespace sotto::chat
