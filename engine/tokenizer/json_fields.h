// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/json.h"

#include <optional>
#include <string>
#include <string_view>

namespace sotto::tokenizer {

/// Typed look-ups in the objects of one file that keep the first mistake, so that a caller looks
/// for one at the end. A member that is null counts as missing.
class JsonFields {
  public:
    explicit JsonFields(std::string file) : file_(std::move(file)) {}

    std::optional<json::Value> find(json::Value object, std::string_view key, json::Kind kind);
    std::string_view string(json::Value object, std::string_view key,
                            std::string_view otherwise = {});
    bool boolean(json::Value object, std::string_view key, bool otherwise);
    std::int64_t integer(json::Value object, std::string_view key, std::int64_t otherwise);

    /// "tokenizer.json: decoder 'CTC' is not supported"
    void refuse(std::string_view what, std::string_view kind);
    void fail(ErrorCode code, const std::string& message);
    [[nodiscard]] const std::optional<Error>& error() const { return error_; }

  private:
    std::string file_;
    std::optional<Error> error_;
};

} // namespace sotto::tokenizer
