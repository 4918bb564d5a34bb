// SPDX-License-Identifier: Apache-2.0
// The one place that knows the JSON library: its event parser does the reading, without recursion.
#include "engine/base/json_builder.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <limits>
#include <new>

namespace sotto::json {
namespace {

/// Walks the text and keeps the place where others can see it.
class Cursor {
  public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    Cursor(const char* at, const char** seen) : at_(at), seen_(seen) {}
    reference operator*() const { return *at_; }
    Cursor& operator++() {
        *seen_ = ++at_;
        return *this;
    }
    bool operator==(const Cursor& other) const { return at_ == other.at_; }
    bool operator!=(const Cursor& other) const { return at_ != other.at_; }

  private:
    const char* at_;
    const char** seen_;
};

/// The library's text without the parts that quote the file.
std::string reason(const nlohmann::detail::exception& e) {
    constexpr int kNumberTooLarge = 406;
    if (e.id == kNumberTooLarge) {
        return "a number beyond what a double holds";
    }
    std::string_view text = e.what();
    const std::size_t column = text.find(", column ");
    const std::size_t colon = text.find(": ", column == std::string_view::npos ? 0 : column);
    text.remove_prefix(colon == std::string_view::npos ? 0 : colon + 2);
    return std::string(text.substr(0, text.find("; last read")));
}

/// What the library calls: its names, its signatures.
class Events {
  public:
    explicit Events(const Limits& limits) : builder_(limits) {}

    bool null() { return builder_.scalar({}); }
    bool boolean(bool value) {
        Node n;
        n.kind = Kind::boolean;
        n.boolean = value;
        return builder_.scalar(n);
    }
    bool number_integer(std::int64_t value) {
        Node n;
        n.kind = Kind::integer;
        n.integer = value;
        return builder_.scalar(n);
    }
    bool number_unsigned(std::uint64_t value) {
        constexpr std::uint64_t kMax = std::numeric_limits<std::int64_t>::max();
        return value <= kMax ? number_integer(static_cast<std::int64_t>(value))
                             : number_float(static_cast<double>(value), {});
    }
    bool number_float(double value, const std::string& /*text*/) {
        Node n;
        n.kind = Kind::real;
        n.real = value;
        return builder_.scalar(n);
    }
    bool string(const std::string& text) { return builder_.string(text); }
    bool key(const std::string& text) { return builder_.string(text); }
    bool binary(const std::vector<std::uint8_t>& /*bytes*/) { return false; } // not in JSON
    bool start_object(std::size_t /*n*/) { return builder_.begin(Kind::object); }
    bool start_array(std::size_t /*n*/) { return builder_.begin(Kind::array); }
    bool end_object() { return builder_.end(); }
    bool end_array() { return builder_.end(); }
    bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                     const nlohmann::detail::exception& e) {
        message_ = reason(e);
        return false;
    }

    Builder& builder() { return builder_; }
    [[nodiscard]] const std::string& message() const {
        return message_.empty() ? builder_.message() : message_;
    }

  private:
    Builder builder_;
    std::string message_;
};

Error bad(std::size_t position, const std::string& message) {
    return {ErrorCode::bad_file, "JSON, byte " + std::to_string(position) + ": " + message};
}

Result<std::unique_ptr<const Storage>> read(std::string_view text, const Limits& limits) {
    const std::size_t max_bytes = std::min<std::size_t>(limits.max_bytes, 1U << 31);
    if (text.size() > max_bytes) {
        return Error{ErrorCode::bad_file, "JSON of " + std::to_string(text.size()) +
                                              " bytes, at most " + std::to_string(max_bytes) +
                                              " are read"};
    }
    if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos) {
        return bad(nul, "a NUL byte"); // the library would take it for the end
    }
    Events events(limits);
    const char* seen = text.data();
    const char* end = text.data() + text.size();
    if (!nlohmann::json::sax_parse(Cursor(text.data(), &seen), Cursor(end, &seen), &events)) {
        return bad(static_cast<std::size_t>(seen - text.data()), events.message());
    }
    return events.builder().finish();
}

} // namespace

Result<Document> Document::parse(std::string_view text, const Limits& limits) {
    try {
        auto storage = read(text, limits);
        if (!storage) {
            return std::move(storage).error();
        }
        return Document(*std::move(storage));
    } catch (const std::bad_alloc&) {
        return Error{ErrorCode::no_memory,
                     "JSON of " + std::to_string(text.size()) + " bytes: no memory is left for it"};
    }
}

} // namespace sotto::json
