// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/json.h"
#include "engine/base/result.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sotto::formats {

/// What a JSON number must lie in.
struct IntRange {
    std::int64_t min = std::numeric_limits<std::int64_t>::min();
    std::int64_t max = std::numeric_limits<std::int64_t>::max();
};
struct RealRange {
    double min = -std::numeric_limits<double>::max();
    double max = std::numeric_limits<double>::max();
};

/// Typed readers over a JSON object of settings (config.json and its like), as GgufFile has them
/// over its keys: nullopt if the key is missing or null, an Error (bad_file) naming the file, the
/// key, what was found and what is needed otherwise. Views the document.
class HubConfig {
  public:
    /// `where` begins the messages: "config.json".
    HubConfig(json::Value object, std::string where) : object_(object), where_(std::move(where)) {}

    /// With the values that count where a key is missing; null stays null.
    [[nodiscard]] HubConfig with_defaults(json::Value object) const {
        HubConfig config = *this;
        config.defaults_ = object;
        return config;
    }

    [[nodiscard]] bool has(std::string_view key) const { return find(key).has_value(); }
    /// 8 and 8.0 are integers, 8.5 and "8" are not.
    [[nodiscard]] Result<std::optional<std::int64_t>> get_int(std::string_view key,
                                                              IntRange range = {}) const;
    [[nodiscard]] Result<std::optional<double>> get_float(std::string_view key,
                                                          RealRange range = {}) const;
    [[nodiscard]] Result<std::optional<bool>> get_bool(std::string_view key) const;
    [[nodiscard]] Result<std::optional<std::string>> get_string(std::string_view key) const;
    // Lists; one value alone is taken as a list of one.
    [[nodiscard]] Result<std::optional<std::vector<std::int64_t>>>
    get_ints(std::string_view key, IntRange range = {}) const;
    [[nodiscard]] Result<std::optional<std::vector<double>>> get_floats(std::string_view key,
                                                                        RealRange range = {}) const;
    [[nodiscard]] Result<std::optional<std::vector<std::string>>>
    get_strings(std::string_view key) const;
    /// An object in the object, such as "rope_scaling"; its messages call its keys
    /// "rope_scaling.factor".
    [[nodiscard]] Result<std::optional<HubConfig>> get_object(std::string_view key) const;

  private:
    [[nodiscard]] std::optional<json::Value> find(std::string_view key) const;
    template <class T, class ReadValue>
    Result<std::optional<T>> get(std::string_view key, const ReadValue& read) const;
    template <class T, class ReadValue>
    Result<std::optional<std::vector<T>>> get_list(std::string_view key,
                                                   const ReadValue& read) const;
    [[nodiscard]] Error error(std::string_view key, const std::string& message) const;

    json::Value object_;
    std::optional<json::Value> defaults_;
    std::string where_;
    std::string prefix_; // "rope_scaling."
};

} // namespace sotto::formats
