// SPDX-License-Identifier: Apache-2.0
#include "engine/template/chat_context.h"

#include "engine/template/jinja/json.h"

#include <algorithm>
#include <iterator>

namespace sotto::chat {
namespace {

using jinja::Origin;
using jinja::Value;
using Entries = std::vector<std::pair<std::string, Value>>;

/// A role that templates know is a word of theirs; any other is somebody's text.
Value role_value(const std::string& role) {
    constexpr std::string_view kRoles[] = {"system", "developer", "user", "assistant", "tool"};
    const bool known = std::ranges::find(kRoles, role) != std::end(kRoles);
    return Value::string(role, known ? Origin::trusted : Origin::input);
}

Value arguments_value(const std::string& text, CallShape shape) {
    if (shape.text_arguments) {
        return Value::string(text.empty() ? "{}" : text);
    }
    auto parsed = jinja::from_json(text.empty() ? "{}" : text);
    return parsed && parsed->is(jinja::Kind::dict) ? *std::move(parsed) : Value::string(text);
}

Value call_value(const ToolCall& call, CallShape shape) {
    Entries entries{
        {"type", Value::trusted("function")},
        {"function", Value::dict({{"name", Value::string(call.name)},
                                  {"arguments", arguments_value(call.arguments, shape)}})}};
    if (!call.id.empty()) {
        entries.emplace_back("id", Value::string(call.id));
    }
    return Value::dict(std::move(entries));
}

Value content_value(const ChatMessage& message, CallShape shape) {
    if (shape.null_content && is_bare_call(message)) {
        return Value();
    }
    if (message.content_parts.empty()) {
        return Value::string(message.content);
    }
    std::vector<Value> parts;
    for (const std::string& text : message.content_parts) {
        parts.push_back(
            Value::dict({{"type", Value::trusted("text")}, {"text", Value::string(text)}}));
    }
    return Value::list(std::move(parts));
}

Value message_value(const ChatMessage& message, CallShape shape) {
    Entries entries{{"role", role_value(message.role)}, {"content", content_value(message, shape)}};
    const auto add = [&entries](const char* key, const std::string& text) {
        if (!text.empty()) {
            entries.emplace_back(key, Value::string(text));
        }
    };
    add("reasoning_content", message.reasoning);
    add("tool_call_id", message.tool_call_id);
    add("name", message.tool_name);
    if (!message.tool_calls.empty()) {
        std::vector<Value> calls;
        std::ranges::transform(message.tool_calls, std::back_inserter(calls),
                               [shape](const ToolCall& call) { return call_value(call, shape); });
        entries.emplace_back("tool_calls", Value::list(std::move(calls)));
    }
    return Value::dict(std::move(entries));
}

Result<Value> tools_value(const std::string& text) {
    if (text.empty()) {
        return Value();
    }
    auto tools = jinja::from_json(text);
    if (!tools) {
        return Error{ErrorCode::bad_argument,
                     "the list of tools is no JSON: " + tools.error().message};
    }
    if (!tools->is(jinja::Kind::list)) {
        return Error{ErrorCode::bad_argument, "the tools are no JSON list"};
    }
    return tools;
}

} // namespace

Result<Value> chat_context(std::span<const ChatMessage> messages, const ChatOptions& options,
                           const tokenizer::Tokenizer& tokenizer, CallShape shape) {
    auto tools = tools_value(options.tools);
    if (!tools) {
        return std::move(tools).error();
    }
    std::vector<Value> list;
    std::ranges::transform(messages, std::back_inserter(list), [shape](const ChatMessage& message) {
        return message_value(message, shape);
    });
    Entries globals{{"messages", Value::list(std::move(list))},
                    {"tools", *std::move(tools)},
                    {"documents", Value()},
                    {"add_generation_prompt", Value::boolean(options.add_generation_prompt)}};
    if (options.enable_thinking) {
        globals.emplace_back("enable_thinking", Value::boolean(*options.enable_thinking));
    }
    const tokenizer::Vocabulary& v = tokenizer.vocabulary();
    const std::pair<const char*, tokenizer::TokenId> tokens[] = {
        {"bos_token", v.bos}, {"eos_token", v.eos}, {"unk_token", v.unk}, {"pad_token", v.pad}};
    for (const auto& [name, id] : tokens) {
        if (id >= 0) {
            globals.emplace_back(name, Value::trusted(v.tokens[static_cast<std::size_t>(id)]));
        }
    }
    return Value::dict(std::move(globals));
}

} // namespace sotto::chat
