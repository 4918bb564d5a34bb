// SPDX-License-Identifier: Apache-2.0
// JSON (RFC 8259) from files and from the user, read strictly: one value, UTF-8, no comments, no
// trailing commas. A key that an object has twice is an error, and so is half a surrogate pair in a
// \u escape. A byte order mark in front is skipped. Time is about linear in the text, memory within
// a small multiple of it, and neither depends on how deep it is.
#pragma once

#include "engine/base/result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace sotto::json {

/// An integer is a number written without fraction and exponent that fits 64 signed bits; it is
/// exact. Every other number is a real; one beyond the range of double is an error.
enum class Kind : std::uint8_t { null, boolean, integer, real, string, array, object };
/// "an integer", for messages.
const char* kind_name(Kind kind);

struct Limits {
    std::size_t max_bytes = std::size_t{256} << 20;
    std::size_t max_values = std::size_t{8} << 20; // keys count too; 16 bytes each
    int max_depth = 64;                            // of arrays and objects in each other
};

struct Node;
struct Storage;

/// A view of one value, valid as long as its document; cheap to copy. Asked for another kind than
/// it is, it gives false, 0, "" or nothing.
class Value {
  public:
    [[nodiscard]] Kind kind() const;
    [[nodiscard]] bool is(Kind k) const { return kind() == k; }
    [[nodiscard]] bool is_number() const { return is(Kind::integer) || is(Kind::real); }
    [[nodiscard]] bool boolean() const;
    [[nodiscard]] std::int64_t integer() const;
    [[nodiscard]] double number() const; // integers too
    [[nodiscard]] std::string_view string() const;

    /// Elements of an array or members of an object, in the order of the text.
    [[nodiscard]] std::size_t size() const;
    /// Element or member value i < size().
    [[nodiscard]] Value at(std::size_t i) const;
    /// Key of member i < size() of an object.
    [[nodiscard]] std::string_view key(std::size_t i) const;
    /// Logarithmic in size().
    [[nodiscard]] std::optional<Value> find(std::string_view key) const;

  private:
    friend class Document;
    Value(const Storage& storage, const Node& node) : storage_(&storage), node_(&node) {}
    const Storage* storage_;
    const Node* node_;
};

/// Immutable; any thread.
class Document {
  public:
    /// Errors: bad_file (not JSON, or past a limit) with the byte position in the message, which
    /// has no file name; no_memory. Keeps no reference to `text`.
    static Result<Document> parse(std::string_view text, const Limits& limits = {});

    Document(Document&&) noexcept;
    Document& operator=(Document&&) noexcept;
    ~Document();
    [[nodiscard]] Value root() const;

  private:
    explicit Document(std::unique_ptr<const Storage> storage);
    std::unique_ptr<const Storage> storage_;
};

} // namespace sotto::json
