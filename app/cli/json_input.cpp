// SPDX-License-Identifier: Apache-2.0
#include "app/cli/json_input.h"

#include <nlohmann/json.hpp>

#include <functional>
#include <utility>

namespace sotto::cli {
namespace {

using Json = nlohmann::ordered_json; // arguments of calls keep their order

constexpr int kMaxDepth = 100;
constexpr int kMaxKeys = 1000; // ordered objects are searched from their beginning

Error bad(const std::string& what) {
    return {ErrorCode::bad_argument, what};
}

/// Looks on while a text is parsed; the first limit that is passed is kept.
struct Limits {
    std::vector<int> n_keys;
    const char* passed = nullptr;

    bool operator()(int depth, Json::parse_event_t event, const Json&) {
        using Event = Json::parse_event_t;
        if (event == Event::object_start || event == Event::array_start) {
            n_keys.resize(static_cast<std::size_t>(depth) + 1);
            n_keys.back() = 0;
            passed = depth >= kMaxDepth ? "is nested more than 100 deep" : passed;
        } else if (event == Event::key &&
                   ++n_keys[static_cast<std::size_t>(depth) - 1] > kMaxKeys) {
            passed = "has an object with more than 1000 keys";
        }
        return passed == nullptr; // false: not kept
    }
};

Result<Json> parse_list(const std::string& text, const std::string& file) {
    if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
        return bad("'" + file + "' is empty: a JSON list is needed");
    }
    Limits limits;
    Json json;
    try {
        json = Json::parse(text, std::ref(limits));
    } catch (const Json::parse_error& e) {
        return bad("'" + file + "' is no JSON: error at byte " + std::to_string(e.byte));
    } catch (const Json::exception&) {
        return bad("'" + file + "' has a number beyond the range of double precision");
    }
    if (limits.passed) {
        return bad("'" + file + "' " + limits.passed);
    }
    if (!json.is_array()) {
        return bad("'" + file + "': a JSON list is needed, not " + json.type_name());
    }
    return json;
}

/// One value of a file, with where it stands for messages: "'FILE': message 3".
struct Place {
    const Json& json;
    std::string name;

    [[nodiscard]] Error error(const std::string& what) const { return bad(name + " " + what); }
    /// Text; "" where the key is missing or null.
    [[nodiscard]] Result<std::string> text(const char* key) const {
        const auto found = json.find(key);
        if (found == json.end() || found->is_null()) {
            return std::string();
        }
        if (!found->is_string()) {
            return error(std::string("has a '") + key + "' that is no text");
        }
        return found->get<std::string>();
    }
};

Result<void> read_content(const Place& message, ChatMessage& to) {
    const auto content = message.json.find("content");
    if (content == message.json.end() || !content->is_array()) {
        auto text = message.text("content");
        if (!text) {
            return std::move(text).error();
        }
        to.content = *std::move(text);
        return {};
    }
    for (const Json& part : *content) {
        if (!part.is_object() || part.value("type", Json()) != "text") {
            return message.error("has a part of content that is no {\"type\": \"text\", ...}");
        }
        auto text = Place{part, message.name + ": a part of content"}.text("text");
        if (!text) {
            return std::move(text).error();
        }
        to.content += *text;
        to.content_parts.push_back(*std::move(text));
    }
    return {};
}

Result<ToolCall> read_call(const Place& place) {
    if (!place.json.is_object()) {
        return place.error("is no object");
    }
    ToolCall call;
    const auto inner = place.json.find("function");
    const Place function{inner != place.json.end() && inner->is_object() ? *inner : place.json,
                         place.name};
    const auto arguments = function.json.find("arguments");
    if (arguments != function.json.end() && arguments->is_object()) {
        call.arguments = arguments->dump();
    } else if (auto text = function.text("arguments"); text) {
        call.arguments = *std::move(text);
    } else {
        return place.error("has 'arguments' that are neither text nor an object");
    }
    auto id = place.text("id"), name = function.text("name");
    if (!id || !name) {
        return !id ? std::move(id).error() : std::move(name).error();
    }
    if (name->empty()) {
        return place.error("has no name");
    }
    call.id = *std::move(id);
    call.name = *std::move(name);
    return call;
}

Result<void> read_calls(const Place& message, std::vector<ToolCall>& calls) {
    const auto list = message.json.find("tool_calls");
    if (list == message.json.end() || list->is_null()) {
        return {};
    }
    if (!list->is_array()) {
        return message.error("has 'tool_calls' that are no list");
    }
    for (const Json& json : *list) {
        auto call =
            read_call({json, message.name + ": tool call " + std::to_string(calls.size() + 1)});
        if (!call) {
            return std::move(call).error();
        }
        calls.push_back(*std::move(call));
    }
    return {};
}

Result<ChatMessage> read_message(const Place& place) {
    if (!place.json.is_object()) {
        return place.error("is no object");
    }
    ChatMessage message;
    if (auto done = read_content(place, message); !done) {
        return std::move(done).error();
    }
    for (const auto& [key, field] :
         {std::pair("role", &message.role), std::pair("reasoning_content", &message.reasoning),
          std::pair("tool_call_id", &message.tool_call_id),
          std::pair("name", &message.tool_name)}) {
        auto text = place.text(key);
        if (!text) {
            return std::move(text).error();
        }
        *field = *std::move(text);
    }
    if (message.role.empty()) {
        return place.error("has no 'role'");
    }
    if (auto done = read_calls(place, message.tool_calls); !done) {
        return std::move(done).error();
    }
    return message;
}

} // namespace

Result<std::vector<ChatMessage>> parse_messages(const std::string& text, const std::string& file) {
    auto list = parse_list(text, file);
    if (!list) {
        return std::move(list).error();
    }
    std::vector<ChatMessage> messages;
    for (const Json& json : *list) {
        auto message =
            read_message({json, "'" + file + "': message " + std::to_string(messages.size() + 1)});
        if (!message) {
            return std::move(message).error();
        }
        messages.push_back(*std::move(message));
    }
    return messages;
}

Result<void> check_tools(const std::string& text, const std::string& file) {
    auto list = parse_list(text, file);
    if (!list) {
        return std::move(list).error();
    }
    int number = 0;
    for (const Json& json : *list) {
        const Place tool{json, "'" + file + "': tool " + std::to_string(++number)};
        const auto function = json.is_object() ? json.find("function") : json.end();
        if (!json.is_object() || function == json.end() || !function->is_object()) {
            return tool.error("is no {\"type\": \"function\", \"function\": {...}}");
        }
        auto name = Place{*function, tool.name}.text("name");
        if (!name) {
            return std::move(name).error();
        }
        if (name->empty()) {
            return tool.error("has no name");
        }
    }
    return {};
}

} // namespace sotto::cli
