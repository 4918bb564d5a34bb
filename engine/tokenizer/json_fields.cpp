// SPDX-License-Identifier: Apache-2.0
#include "engine/tokenizer/json_fields.h"

#include "engine/base/message.h"
#include "engine/base/utf8.h"

namespace sotto::tokenizer {

std::optional<json::Value> JsonFields::find(json::Value object, std::string_view key,
                                            json::Kind kind) {
    const std::optional<json::Value> value = object.find(key);
    if (!value || value->is(json::Kind::null)) {
        return std::nullopt;
    }
    if (!value->is(kind)) {
        fail(ErrorCode::bad_file, message::quoted(key) + " is " + json::kind_name(value->kind()) +
                                      ", " + json::kind_name(kind) + " is needed");
        return std::nullopt;
    }
    return value;
}

std::string_view JsonFields::string(json::Value object, std::string_view key,
                                    std::string_view otherwise) {
    const auto value = find(object, key, json::Kind::string);
    return value ? value->string() : otherwise;
}

bool JsonFields::boolean(json::Value object, std::string_view key, bool otherwise) {
    const auto value = find(object, key, json::Kind::boolean);
    return value ? value->boolean() : otherwise;
}

std::int64_t JsonFields::integer(json::Value object, std::string_view key, std::int64_t otherwise) {
    const auto value = find(object, key, json::Kind::integer);
    return value ? value->integer() : otherwise;
}

void JsonFields::refuse(std::string_view what, std::string_view kind) {
    fail(ErrorCode::unsupported,
         std::string(what) + " " + message::quoted(kind) + " is not supported");
}

void JsonFields::fail(ErrorCode code, const std::string& message) {
    if (!error_) {
        error_ = Error{code, file_ + ": " + message};
    }
}

} // namespace sotto::tokenizer
