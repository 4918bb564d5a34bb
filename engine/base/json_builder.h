// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/json_storage.h"

#include <memory>
#include <string>
#include <vector>

namespace sotto::json {

/// Makes a document from what a parser finds, front to back. Each call says whether to go on; if
/// not, message() says why.
class Builder {
  public:
    explicit Builder(const Limits& limits) : limits_(limits) {}

    bool scalar(Node node);
    bool string(std::string_view text);
    bool begin(Kind kind);
    bool end();
    [[nodiscard]] const std::string& message() const { return message_; }
    /// After a whole value.
    [[nodiscard]] std::unique_ptr<const Storage> finish();

  private:
    struct Frame {
        Kind kind;
        std::size_t first; // of its contents in pending_
    };
    bool fail(std::string message);
    bool close_object(Node& object);
    [[nodiscard]] bool sort_keys(Node& object);
    bool twice(std::string_view key);

    const Limits& limits_;
    std::unique_ptr<Storage> storage_ = std::make_unique<Storage>();
    std::vector<Node> pending_; // values whose array or object has not ended
    std::vector<Frame> open_;
    std::string message_;
};

} // namespace sotto::json
