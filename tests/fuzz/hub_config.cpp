// SPDX-License-Identifier: Apache-2.0
// JSON that libFuzzer makes up, read as a document and as the settings of a model: whatever parses
// can be walked, found and asked for as every kind.
#include "engine/formats/hub_config.h"
#include "engine/base/utf8.h"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

using namespace sotto;

namespace {

void require(bool kept, const char* promise) {
    if (!kept) {
        std::fprintf(stderr, "broken promise: %s\n", promise);
        std::abort();
    }
}

template <class T>
bool check(const Result<std::optional<T>>& result) {
    require(result || (result.error().message.starts_with("config.json: key '") &&
                       utf8::valid(result.error().message)),
            "a message for people");
    return result && *result;
}

/// Asks for one key in every way; exactly one family may have it, unless it is null.
void ask(const formats::HubConfig& config, std::string_view key, json::Value value) {
    using json::Kind;
    const bool is_int = check(config.get_int(key));
    const bool is_number = check(config.get_float(key));
    require(!is_int || is_number, "an integer is a number");
    require(is_number == value.is_number(), "numbers");
    require(check(config.get_bool(key)) == value.is(Kind::boolean), "booleans");
    require(check(config.get_string(key)) == value.is(Kind::string), "strings");
    require(check(config.get_object(key)) == value.is(Kind::object), "objects");
    const auto ints = config.get_ints(key);
    require(!check(ints) || !value.is(Kind::array) || (*ints)->size() == value.size(), "lists");
    check(config.get_floats(key, {-1.0, 1.0}));
    check(config.get_strings(key));
    check(config.get_int(key, {0, 10}));
}

void walk(json::Value value) { // 64 deep at most
    require(utf8::valid(value.string()), "UTF-8");
    require(std::isfinite(value.number()), "a finite number");
    const bool is_object = value.is(json::Kind::object);
    const formats::HubConfig config(value, "config.json");
    for (std::size_t i = 0; i < value.size(); ++i) {
        if (is_object) {
            const auto found = value.find(value.key(i));
            require(found && found->kind() == value.at(i).kind(), "a key that is there");
            ask(config, value.key(i), value.at(i));
        }
        walk(value.at(i));
    }
    require(!value.find("\x01 no such key"), "a key that is not there");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t n_bytes) {
    const auto document = json::Document::parse({reinterpret_cast<const char*>(data), n_bytes});
    if (document) {
        walk(document->root());
    } else {
        require(utf8::valid(document.error().message), "a message for people");
    }
    return 0;
}
