// SPDX-License-Identifier: Apache-2.0
// The typed readers of GgufFile, and values as text.
#include "engine/base/message.h"
#include "engine/base/utf8.h"
#include "engine/formats/gguf.h"
#include "engine/formats/gguf_parser.h"

#include <cstdio>
#include <cstring>

namespace sotto::formats {
namespace {

Error wrong_type(std::string_view key, const GgufValue& value, const char* wanted) {
    std::string found = gguf_type_name(value.type);
    if (value.type == GgufType::array) {
        found = "a list of " + std::string(gguf_type_name(value.element_type));
    }
    return {ErrorCode::bad_file, "key " + message::quoted(key) + " is stored as " + found + ", " +
                                     wanted + " is needed"};
}

Error too_large(std::string_view key) {
    return {ErrorCode::bad_file, "key " + message::quoted(key) + " holds a number above 2^63 - 1"};
}

bool is_integer(GgufType t) {
    return t != GgufType::f32 && t != GgufType::f64 && t != GgufType::boolean &&
           t != GgufType::string && t != GgufType::array;
}

bool is_number(GgufType t) {
    return is_integer(t) || t == GgufType::f32 || t == GgufType::f64;
}

/// The first max_bytes at most, on one line.
std::string one_line(std::string_view text, std::size_t max_bytes) {
    std::string_view shown = text.substr(0, max_bytes);
    if (shown.size() < text.size()) {
        shown.remove_suffix(utf8::incomplete_tail(shown));
    }
    std::string line = utf8::sanitize(shown);
    for (char& c : line) {
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) { // no escapes for a terminal either
            c = ' ';
        }
    }
    if (shown.size() < text.size()) {
        line += "... (" + std::to_string(text.size()) + " bytes)";
    }
    return line;
}

} // namespace

Result<std::optional<std::int64_t>> GgufFile::get_int(std::string_view key) const {
    const GgufValue* value = find(key);
    if (!value) {
        return std::optional<std::int64_t>{};
    }
    if (!is_integer(value->type)) {
        return wrong_type(key, *value, "an integer");
    }
    const auto n = integer_at(value->type, value->offset);
    if (!n) {
        return too_large(key);
    }
    return n;
}

Result<std::optional<double>> GgufFile::get_float(std::string_view key) const {
    const GgufValue* value = find(key);
    if (!value) {
        return std::optional<double>{};
    }
    if (!is_number(value->type)) {
        return wrong_type(key, *value, "a number");
    }
    return std::optional(number_at(value->type, value->offset));
}

Result<std::optional<bool>> GgufFile::get_bool(std::string_view key) const {
    const GgufValue* value = find(key);
    if (!value) {
        return std::optional<bool>{};
    }
    if (value->type != GgufType::boolean) {
        return wrong_type(key, *value, "a boolean");
    }
    return std::optional(header_[value->offset] != std::byte{0});
}

Result<std::optional<std::string>> GgufFile::get_string(std::string_view key) const {
    const GgufValue* value = find(key);
    if (!value) {
        return std::optional<std::string>{};
    }
    if (value->type != GgufType::string) {
        return wrong_type(key, *value, "a string");
    }
    std::uint64_t offset = value->offset;
    return std::optional(std::string(string_at(offset)));
}

Result<std::optional<std::vector<std::string>>> GgufFile::get_strings(std::string_view key) const {
    const GgufValue* value = find(key);
    if (!value) {
        return std::optional<std::vector<std::string>>{};
    }
    if (value->type != GgufType::array || value->element_type != GgufType::string) {
        return wrong_type(key, *value, "a list of strings");
    }
    std::vector<std::string> list;
    list.reserve(value->n_elements);
    std::uint64_t offset = value->offset;
    for (std::uint64_t i = 0; i < value->n_elements; ++i) {
        list.emplace_back(string_at(offset));
    }
    return std::optional(std::move(list));
}

Result<std::optional<std::vector<std::int64_t>>> GgufFile::get_ints(std::string_view key) const {
    const GgufValue* value = find(key);
    if (!value) {
        return std::optional<std::vector<std::int64_t>>{};
    }
    const bool flags = value->type == GgufType::array && value->element_type == GgufType::boolean;
    if (!flags && !is_integer(value->element_type)) {
        return wrong_type(key, *value, "a list of integers");
    }
    std::vector<std::int64_t> list;
    list.reserve(value->n_elements);
    const std::size_t step = gguf_type_bytes(value->element_type);
    for (std::uint64_t i = 0; i < value->n_elements; ++i) {
        const auto n =
            integer_at(flags ? GgufType::u8 : value->element_type, value->offset + i * step);
        if (!n) {
            return too_large(key);
        }
        list.push_back(*n);
    }
    return std::optional(std::move(list));
}

Result<std::optional<std::vector<float>>> GgufFile::get_floats(std::string_view key) const {
    const GgufValue* value = find(key);
    if (!value) {
        return std::optional<std::vector<float>>{};
    }
    if (value->type != GgufType::array || value->element_type != GgufType::f32) {
        return wrong_type(key, *value, "a list of f32");
    }
    std::vector<float> list(value->n_elements);
    if (!list.empty()) {
        std::memcpy(list.data(), header_.data() + value->offset, list.size() * sizeof(float));
    }
    return std::optional(std::move(list));
}

std::string GgufFile::element_text(GgufType type, std::uint64_t& offset,
                                   std::size_t max_bytes) const {
    if (type == GgufType::string) {
        return one_line(string_at(offset), max_bytes);
    }
    const std::uint64_t at = offset;
    offset += gguf_type_bytes(type);
    if (type == GgufType::boolean) {
        return header_[at] != std::byte{0} ? "true" : "false";
    }
    char text[32];
    if (const auto n = integer_at(type, at)) {
        std::snprintf(text, sizeof text, "%lld", static_cast<long long>(*n));
    } else { // floating point, or a u64 of 2^63 and more
        std::snprintf(text, sizeof text, "%.9g", number_at(type, at));
    }
    return text;
}

std::string GgufFile::value_text(const GgufValue& value, std::size_t max_bytes) const {
    std::uint64_t offset = value.offset;
    if (value.type != GgufType::array) {
        return element_text(value.type, offset, max_bytes);
    }
    std::string text = "[";
    for (std::uint64_t i = 0; i < value.n_elements; ++i) {
        text += i > 0 ? ", " : "";
        if (text.size() >= max_bytes) {
            text += "...";
            break;
        }
        text += element_text(value.element_type, offset, max_bytes - text.size());
    }
    return text + "] (" + std::to_string(value.n_elements) + " elements)";
}

} // namespace sotto::formats
