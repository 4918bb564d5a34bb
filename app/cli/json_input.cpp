// SPDX-License-Identifier: Apache-2.0
#include "app/cli/json_input.h"

#include "app/cli/number_check.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>
#include <limits>
#include <string_view>
#include <type_traits>
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

std::string what_is_wrong(const Json::parse_error& e) {
    const bool utf8 = std::string_view(e.what()).find("UTF-8") != std::string_view::npos;
    return (utf8 ? "invalid UTF-8 at byte " : "error at byte ") + std::to_string(e.byte);
}

/// `name` begins the messages.
Result<Json> parse(const std::string& text, const std::string& name) {
    Limits limits;
    Json json;
    try {
        json = Json::parse(text, std::ref(limits));
    } catch (const Json::parse_error& e) {
        return bad(name + " is no JSON: " + what_is_wrong(e));
    } catch (const Json::exception&) {
        return bad(name + " has a number beyond the range of double precision");
    }
    if (limits.passed) {
        return bad(name + " " + limits.passed);
    }
    return json;
}

Result<Json> parse_list(const std::string& text, const std::string& file) {
    if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
        return bad("'" + file + "' is empty: a JSON list is needed");
    }
    auto json = parse(text, "'" + file + "'");
    if (json && !json->is_array()) {
        return bad("'" + file + "': a JSON list is needed, not " + json->type_name());
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

namespace {

std::string shortened(std::string text) {
    constexpr std::size_t kShown = 40;
    return text.size() > kShown ? text.substr(0, kShown) + "..." : text;
}

/// A value of another type is outside every range, and told by the same message.
template <class Field, class Range>
Result<void> read_number(const std::string& key, const Json& value, Range min, Range max,
                         Field& to) {
    std::string text = shortened(value.dump());
    if (const std::string wrong = in_range(min, max)(text); !wrong.empty()) {
        return bad("'" + key + "': " + wrong);
    }
    to = value.get<Field>();
    return {};
}

/// "--top-k" in a line is top_k
std::string key_of_flag(std::string_view flag) {
    std::string key(flag.substr(2));
    std::ranges::replace(key, '-', '_');
    return key;
}

/// False: no parameter has this key.
Result<bool> read_param(const std::string& key, const Json& value, SamplingParams& params) {
    Result<bool> found = false;
    visit_params(params, [&](const ParamInfo& info, auto& field) {
        if (key != info.key && key != key_of_flag(info.flag)) {
            return;
        }
        using Field = std::remove_reference_t<decltype(field)>;
        Result<void> done;
        if constexpr (std::is_integral_v<Field>) { // as the flags have it
            done =
                read_number<Field, Field>(key, value, 0, std::numeric_limits<Field>::max(), field);
        } else {
            done = read_number(key, value, info.min, info.max, field);
        }
        found = done ? Result<bool>(true) : Result<bool>(done.error());
    });
    return found;
}

Result<void> read_field(const std::string& key, const Json& value, BatchPrompt& to) {
    if (key == "prompt") {
        if (!value.is_string()) {
            return bad("'prompt' is no text");
        }
        to.text = value.get<std::string>();
        return {};
    }
    if (key == "n") {
        return read_number<std::int64_t, std::int64_t>(key, value, -1, 1 << 30, to.n);
    }
    auto found = read_param(key, value, to.sampling);
    if (!found) {
        return std::move(found).error();
    }
    return *found ? Result<void>() : bad("there is no field '" + shortened(key) + "'");
}

} // namespace

Result<BatchPrompt> parse_batch_line(const std::string& line, std::int64_t n,
                                     const SamplingParams& sampling) {
    auto json = parse(line, "it");
    if (!json) {
        return std::move(json).error();
    }
    if (!json->is_object()) {
        return bad(std::string("a JSON object is needed, not ") + json->type_name());
    }
    BatchPrompt prompt{.text = {}, .n = n, .sampling = sampling};
    for (const auto& [key, value] : json->items()) {
        if (auto done = read_field(key, value, prompt); !done) {
            return std::move(done).error();
        }
    }
    if (!json->contains("prompt")) {
        return bad("there is no 'prompt'");
    }
    return prompt;
}

} // namespace sotto::cli
