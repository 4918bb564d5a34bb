// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/hub_config.h"

#include "engine/base/message.h"
#include "engine/formats/header_reader.h"

#include <cmath>
#include <cstdio>

namespace sotto::formats {
namespace {

using json::Kind;
using json::Value;

/// A value, or what is wrong with it: "is a string, an integer is needed".
template <class T>
struct Read {
    std::optional<T> value;
    std::string problem;
};

std::string number_text(double v) {
    char text[32];
    std::snprintf(text, sizeof text, "%.9g", v);
    return text;
}

std::string found(Value v) {
    if (v.is(Kind::integer)) {
        return std::to_string(v.integer());
    }
    return v.is(Kind::real) ? number_text(v.number()) : json::kind_name(v.kind());
}

std::string wrong_kind(Value v, const char* needed) {
    return "is " + found(v) + ", " + needed + " is needed";
}

Read<std::int64_t> read_int(Value v, IntRange range) {
    constexpr double kLimit = 9223372036854775808.0; // 2^63
    const double n = v.number();
    const bool is_whole = v.is(Kind::integer) ||
                          (v.is(Kind::real) && std::floor(n) == n && n >= -kLimit && n < kLimit);
    if (!is_whole) {
        return {{}, wrong_kind(v, "an integer")};
    }
    const std::int64_t i = v.is(Kind::integer) ? v.integer() : static_cast<std::int64_t>(n);
    if (i < range.min || i > range.max) {
        return {{},
                "is " + std::to_string(i) + ", outside " + std::to_string(range.min) + " to " +
                    std::to_string(range.max)};
    }
    return {i, {}};
}

Read<double> read_float(Value v, RealRange range) {
    if (!v.is_number()) {
        return {{}, wrong_kind(v, "a number")};
    }
    if (v.number() < range.min || v.number() > range.max) {
        return {{},
                "is " + found(v) + ", outside " + number_text(range.min) + " to " +
                    number_text(range.max)};
    }
    return {v.number(), {}};
}

Read<std::string> read_string(Value v) {
    if (!v.is(Kind::string)) {
        return {{}, wrong_kind(v, "a string")};
    }
    return {std::string(v.string()), {}};
}

} // namespace

std::optional<Value> HubConfig::find(std::string_view key) const {
    auto value = object_.find(key);
    if (!value && defaults_) {
        value = defaults_->find(key);
    }
    return value && !value->is(Kind::null) ? value : std::nullopt;
}

Error HubConfig::error(std::string_view key, const std::string& message) const {
    return {ErrorCode::bad_file,
            where_ + ": key " + message::quoted(prefix_ + std::string(key)) + " " + message};
}

template <class T, class ReadValue>
Result<std::optional<T>> HubConfig::get(std::string_view key, const ReadValue& read) const {
    const auto value = find(key);
    if (!value) {
        return std::optional<T>{};
    }
    Read<T> result = read(*value);
    if (!result.value) {
        return error(key, result.problem);
    }
    return std::move(result.value);
}

template <class T, class ReadValue>
Result<std::optional<std::vector<T>>> HubConfig::get_list(std::string_view key,
                                                          const ReadValue& read) const {
    const auto value = find(key);
    if (!value) {
        return std::optional<std::vector<T>>{};
    }
    const bool is_list = value->is(Kind::array);
    std::vector<T> list;
    for (std::size_t i = 0; i < (is_list ? value->size() : 1); ++i) {
        Read<T> result = read(is_list ? value->at(i) : *value);
        if (!result.value) {
            return error(key, (is_list ? "element " + std::to_string(i + 1) + " " : "") +
                                  result.problem);
        }
        list.push_back(*std::move(result.value));
    }
    return std::optional(std::move(list));
}

Result<std::optional<std::int64_t>> HubConfig::get_int(std::string_view key, IntRange range) const {
    return get<std::int64_t>(key, [range](Value v) { return read_int(v, range); });
}

Result<std::optional<double>> HubConfig::get_float(std::string_view key, RealRange range) const {
    return get<double>(key, [range](Value v) { return read_float(v, range); });
}

Result<std::optional<bool>> HubConfig::get_bool(std::string_view key) const {
    return get<bool>(key, [](Value v) {
        return v.is(Kind::boolean) ? Read<bool>{v.boolean(), {}}
                                   : Read<bool>{{}, wrong_kind(v, "true or false")};
    });
}

Result<std::optional<std::string>> HubConfig::get_string(std::string_view key) const {
    return get<std::string>(key, read_string);
}

Result<std::optional<std::vector<std::int64_t>>> HubConfig::get_ints(std::string_view key,
                                                                     IntRange range) const {
    return get_list<std::int64_t>(key, [range](Value v) { return read_int(v, range); });
}

Result<std::optional<std::vector<double>>> HubConfig::get_floats(std::string_view key,
                                                                 RealRange range) const {
    return get_list<double>(key, [range](Value v) { return read_float(v, range); });
}

Result<std::optional<std::vector<std::string>>> HubConfig::get_strings(std::string_view key) const {
    return get_list<std::string>(key, read_string);
}

Result<std::optional<HubConfig>> HubConfig::get_object(std::string_view key) const {
    const auto value = find(key);
    if (!value) {
        return std::optional<HubConfig>{};
    }
    if (!value->is(Kind::object)) {
        return error(key, wrong_kind(*value, "an object"));
    }
    HubConfig inner(*value, where_);
    inner.prefix_ = prefix_ + std::string(key) + ".";
    return std::optional(std::move(inner));
}

} // namespace sotto::formats
