// SPDX-License-Identifier: Apache-2.0
#include "engine/template/chat_template.h"

#include "engine/template/built_in.h"
#include "engine/template/chat_context.h"
#include "engine/template/content_parts.h"

#include <algorithm>
#include <ctime>

namespace sotto::chat {
namespace {

std::tm local_time(std::optional<std::int64_t> unix_time) {
    const auto when = static_cast<std::time_t>(unix_time.value_or(std::time(nullptr)));
    std::tm parts{};
#ifdef _WIN32
    localtime_s(&parts, &when);
#else
    localtime_r(&when, &parts);
#endif
    return parts;
}

/// Some templates know no system role: its text then stands before the first question.
std::vector<ChatMessage> with_system_merged(std::span<const ChatMessage> messages) {
    std::vector<ChatMessage> merged(messages.begin() + 1, messages.end());
    for (ChatMessage& message : merged) {
        if (message.role == "user") {
            const std::string before = messages.front().content + "\n\n";
            message.content.insert(0, before);
            if (!message.content_parts.empty()) {
                message.content_parts.front().insert(0, before);
            }
            return merged;
        }
    }
    return {};
}

} // namespace

std::unique_ptr<ChatTemplate> ChatTemplate::make(std::string source,
                                                 const tokenizer::Tokenizer& tokenizer,
                                                 std::string& notice, std::string_view others) {
    notice.clear();
    std::unique_ptr<ChatTemplate> made(new ChatTemplate(std::move(source), tokenizer));
    std::string reason = "The model has no chat template";
    if (!others.empty()) {
        reason += " named 'default', only " + std::string(others);
    }
    if (!made->source_.empty()) {
        auto own = jinja::Template::parse(made->source_);
        if (own) {
            made->own_ = *std::move(own);
        } else {
            reason = "The model's chat template cannot be read (" + own.error().message + ")";
        }
    }
    if (const BuiltIn* built_in = find_built_in(tokenizer, made->source_)) {
        made->built_in_name_ = built_in->name;
        if (auto parsed = jinja::Template::parse(built_in->source)) {
            made->built_in_ = *std::move(parsed);
        }
    }
    if (made->own_) {
        return made;
    }
    if (!made->built_in_) {
        notice = reason + ", and its vocabulary has the marks of no known one.";
        return nullptr;
    }
    notice =
        reason + "; its vocabulary has the marks of " + made->built_in_name_ + ", so that is used.";
    return made;
}

std::string ChatTemplate::name() const {
    return own_ ? "the model's own" : built_in_name_ + " (built in)";
}

Result<Rendered> ChatTemplate::run(const jinja::Template& source,
                                   std::span<const ChatMessage> messages,
                                   const ChatOptions& options, CallShape shape) const {
    auto globals = chat_context(messages, options, tokenizer_, shape);
    if (!globals) {
        return std::move(globals).error();
    }
    jinja::RenderOptions how;
    how.now = [&options] { return local_time(options.unix_time); };
    auto rendered = source.render(*globals, how);
    if (!rendered) {
        return std::move(rendered).error();
    }
    Rendered chat{std::move(rendered->text), {}, {}};
    for (const jinja::Span span : rendered->trusted) {
        chat.trusted.push_back({span.begin, span.end});
    }
    return chat;
}

/// Tool calls in the shape that the template takes; the protocol's own comes first.
Result<Rendered> ChatTemplate::run_calls(std::span<const ChatMessage> messages,
                                         const ChatOptions& options) const {
    auto plain = run(*own_, messages, options);
    if (!have_calls(messages)) {
        return plain;
    }
    const auto run_as = [&](bool null_content) {
        auto mapped = run(*own_, messages, options, {null_content, false});
        return mapped ? std::move(mapped) : run(*own_, messages, options, {null_content, true});
    };
    if (std::ranges::any_of(messages, is_bare_call)) {
        auto with_null = run_as(true);
        if (with_null && (!plain || !null_is_worse(with_null->text, plain->text, messages))) {
            return with_null;
        }
    }
    if (plain) {
        return plain;
    }
    auto with_text = run_as(false);
    return with_text ? std::move(with_text) : std::move(plain);
}

Result<Rendered> ChatTemplate::run_own(std::span<const ChatMessage> messages,
                                       const ChatOptions& options) const {
    auto as_lists = run_calls(messages, options);
    if (!have_parts(messages)) {
        return as_lists;
    }
    auto as_text = run_calls(without_parts(messages), options);
    const bool is_text =
        as_text && (!as_lists || mangles_parts(as_lists->text, as_text->text, messages));
    return is_text ? as_text : as_lists;
}

Result<Rendered> ChatTemplate::render(std::span<const ChatMessage> messages,
                                      const ChatOptions& options) const {
    ChatOptions now = options; // one clock for both runs
    now.unix_time = options.unix_time.value_or(std::time(nullptr));
    auto chat = render_once(messages, now);
    if (!chat || options.tools.find('{') == std::string::npos) {
        return chat;
    }
    now.tools.clear();
    const auto without = render_once(messages, now);
    if (without && without->text == chat->text) {
        chat->notice += std::string(chat->notice.empty() ? "" : " ") +
                        "The chat template leaves out the tools: the model is not told of them.";
    }
    return chat;
}

/// Without a word about tools.
Result<Rendered> ChatTemplate::render_once(std::span<const ChatMessage> messages,
                                           const ChatOptions& options) const {
    if (!own_) {
        return run(*built_in_, without_parts(messages), options);
    }
    auto own = run_own(messages, options);
    if (own) {
        return own;
    }
    if (own.error().code == ErrorCode::bad_argument && !messages.empty() &&
        messages.front().role == "system") {
        const std::vector<ChatMessage> merged = with_system_merged(messages);
        auto without = merged.empty() ? Result<Rendered>(own.error()) : run_own(merged, options);
        if (without) {
            without->notice = "The model's chat template takes no system message; it was put "
                              "before the first question.";
            return without;
        }
    }
    if (own.error().code == ErrorCode::bad_argument || !built_in_) {
        return own;
    }
    auto other = run(*built_in_, without_parts(messages), options);
    if (other) {
        other->notice = "The model's chat template failed (" + own.error().message + "); " +
                        built_in_name_ + " was used.";
    }
    return other;
}

std::vector<tokenizer::TokenId> tokenize(const Rendered& chat,
                                         const tokenizer::Tokenizer& tokenizer) {
    const tokenizer::Vocabulary& v = tokenizer.vocabulary();
    std::vector<tokenizer::TokenId> ids;
    tokenizer.encode(chat.text, chat.trusted, ids);
    // The template may have written the begin token; the tokenizer's own wish must not double it.
    if (v.add_bos && v.bos >= 0 && (ids.empty() || ids.front() != v.bos)) {
        ids.insert(ids.begin(), v.bos);
    }
    while (ids.size() >= 2 && v.bos >= 0 && ids[0] == v.bos && ids[1] == v.bos) {
        ids.erase(ids.begin());
    }
    return ids;
}

} // namespace sotto::chat
