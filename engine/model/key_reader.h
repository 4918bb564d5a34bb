// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sotto::model {

/// "0.1", "1e+15"
inline std::string number_text(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.9g", value);
    return text;
}

/// Reads settings of a model from a GGUF file's keys or a folder's config.json (anything with
/// get_int, get_float, get_bool, get_string, get_ints, get_strings). The first failure is kept and
/// stops further reads, so that a caller asks once, at the end.
template <class Source>
class KeyReader {
  public:
    /// `prefix` goes before every key: "llama.".
    KeyReader(const Source& source, std::string prefix)
        : source_(source), prefix_(std::move(prefix)) {}

    /// An integer in min..max; `fallback` where the key is missing, an error if there is none.
    int integer(const char* key, std::int64_t min, std::int64_t max,
                std::optional<int> fallback = {}) {
        return check(key, take(source_.get_int(prefix_ + key)), min, max, fallback);
    }

    /// The same for a key that may hold one number for every layer; all must be equal.
    int uniform(const char* key, int n_layer, std::int64_t min, std::int64_t max,
                std::optional<int> fallback) {
        const auto values = take(source_.get_ints(prefix_ + key));
        if (!values) {
            return check(key, std::nullopt, min, max, fallback);
        }
        if (!fits_layers(key, values->size(), n_layer)) {
            return 0;
        }
        for (const std::int64_t v : *values) {
            if (v != values->front()) {
                fail({ErrorCode::unsupported, "key '" + prefix_ + key +
                                                  "' differs between layers, which is not "
                                                  "supported yet"});
                return 0;
            }
        }
        return check(key, values->front(), min, max, fallback);
    }

    /// A list with a number for every layer; empty where the key is missing.
    std::vector<std::int64_t> per_layer(const char* key, int n_layer) {
        auto values = take(source_.get_ints(prefix_ + key));
        if (!values || !fits_layers(key, values->size(), n_layer)) {
            return {};
        }
        values->resize(static_cast<std::size_t>(n_layer), values->front());
        return *std::move(values);
    }

    double real(const char* key, double min, double max, std::optional<double> fallback) {
        const auto value = take(source_.get_float(prefix_ + key));
        if (!value && !fallback && !error_) {
            fail(bad("key '" + prefix_ + key + "' is missing"));
        }
        const double found = value.value_or(fallback.value_or(0));
        if (value && !(found >= min && found <= max)) {
            fail(bad("key '" + prefix_ + key + "' is " + number_text(found) + ", outside " +
                     number_text(min) + " to " + number_text(max)));
        }
        return found;
    }

    bool boolean(const char* key, bool fallback) {
        return take(source_.get_bool(prefix_ + key)).value_or(fallback);
    }

    /// Empty where the key is missing.
    std::string text(const char* key) {
        return take(source_.get_string(prefix_ + key)).value_or("");
    }

    /// Empty where the key is missing.
    std::vector<std::string> texts(const char* key) {
        return take(source_.get_strings(prefix_ + key)).value_or(std::vector<std::string>{});
    }

    void fail(Error error) {
        if (!error_) {
            error_ = std::move(error);
        }
    }
    /// A feature that changes results and that we do not compute.
    void refuse(const char* key, const std::string& why) {
        fail({ErrorCode::unsupported, "key '" + prefix_ + key + "' " + why});
    }
    [[nodiscard]] const std::optional<Error>& error() const { return error_; }
    [[nodiscard]] Result<void> result() const {
        return error_ ? Result<void>(*error_) : Result<void>();
    }

  private:
    static Error bad(std::string message) { return Error{ErrorCode::bad_file, std::move(message)}; }

    /// Nothing after the first failure.
    template <class T>
    std::optional<T> take(Result<std::optional<T>> value) {
        if (error_) {
            return {};
        }
        if (!value) {
            fail(std::move(value).error());
            return {};
        }
        return *std::move(value);
    }

    bool fits_layers(const char* key, std::size_t n, int n_layer) {
        const bool fits = n == 1 || n == static_cast<std::size_t>(n_layer);
        if (!fits) {
            fail(bad("key '" + prefix_ + key + "' has " + std::to_string(n) + " values for " +
                     std::to_string(n_layer) + " layers"));
        }
        return fits;
    }

    int check(const char* key, std::optional<std::int64_t> value, std::int64_t min,
              std::int64_t max, std::optional<int> fallback) {
        if (error_) {
            return 0;
        }
        if (!value && !fallback) {
            fail(bad("key '" + prefix_ + key + "' is missing"));
        } else if (value && (*value < min || *value > max)) {
            fail(bad("key '" + prefix_ + key + "' is " + std::to_string(*value) + ", outside " +
                     std::to_string(min) + " to " + std::to_string(max)));
            return 0;
        }
        return value ? static_cast<int>(*value) : fallback.value_or(0);
    }

    const Source& source_;
    const std::string prefix_;
    std::optional<Error> error_;
};

} // namespace sotto::model
