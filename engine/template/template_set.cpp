// SPDX-License-Identifier: Apache-2.0
#include "engine/template/template_set.h"

#include "engine/template/jinja/template.h"

namespace sotto::chat {
namespace {

constexpr const char* kDefault = "default";
constexpr const char* kToolUse = "tool_use";

/// "'rag', 'tool_use'"
std::string listed_names(const std::map<std::string, std::string>& sources) {
    std::string names;
    for (const auto& source : sources) {
        if (source.first != kDefault) {
            names += (names.empty() ? "'" : ", '") + source.first.substr(0, 40) + "'";
        }
        if (names.size() > 200) {
            return names + " ...";
        }
    }
    return names;
}

} // namespace

TemplateSet::TemplateSet(const std::map<std::string, std::string>& sources,
                         const tokenizer::Tokenizer& tokenizer) {
    const auto own = sources.find(kDefault), tools = sources.find(kToolUse);
    default_ = ChatTemplate::make(own == sources.end() ? std::string() : own->second, tokenizer,
                                  warning_, listed_names(sources));
    if (tools == sources.end()) {
        return;
    }
    std::string ignored;
    if (auto parsed = jinja::Template::parse(tools->second)) {
        tool_use_ = ChatTemplate::make(tools->second, tokenizer, ignored);
        warning_ += warning_.empty() ? "" : " With tools 'tool_use' is used.";
    } else {
        warning_ += std::string(warning_.empty() ? "" : " ") +
                    "The model's chat template 'tool_use' cannot be read (" +
                    parsed.error().message + "); it is not used.";
    }
}

void TemplateSet::describe(ModelInfo& info) const {
    const ChatTemplate* first = default_ ? default_.get() : tool_use_.get();
    info.chat_template = default_ ? default_->name() : "none: " + warning_;
    if (tool_use_) {
        info.chat_template += "; 'tool_use' with tools";
    }
    if (!first) {
        return;
    }
    info.template_source =
        first->source().empty() && tool_use_ ? tool_use_->source() : first->source();
    info.thinking = first->thinking();
    info.can_switch_thinking = first->can_switch_thinking();
    if (info.thinking.empty() && tool_use_) {
        info.thinking = tool_use_->thinking();
    }
    info.template_warning = default_ ? warning_ : std::string(); // told as "none: ..." else
}

Result<Rendered> TemplateSet::render(std::span<const ChatMessage> messages,
                                     const ChatOptions& options) const {
    const bool with_tools = tool_use_ && !options.tools.empty();
    const ChatTemplate* picked = with_tools ? tool_use_.get() : default_.get();
    if (!picked) {
        return Error{ErrorCode::unsupported,
                     "the model has no chat template that can be run: " + warning_};
    }
    return picked->render(messages, options);
}

} // namespace sotto::chat
