// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cassert>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace sotto {

/// What kind of failure an Error is; a caller that must react differently looks here, not at the
/// text.
enum class ErrorCode {
    io,           ///< the operating system refused: missing file, no permission, read error
    bad_file,     ///< the file breaks its format's rules
    unsupported,  ///< well formed, but nothing we can run
    bad_argument, ///< a setting, flag or request outside its range
    too_long,     ///< more tokens than the context holds
    no_memory,
    cancelled,
    non_finite, ///< an activation or logit became infinite or NaN
    internal,
};

/// The message names the thing and the limit, for a person to read: no trailing full stop.
struct Error {
    ErrorCode code = ErrorCode::internal;
    std::string message;
};

/// A value or an Error, shaped like C++23's std::expected<T, Error>.
template <class T>
class [[nodiscard]] Result {
  public:
    Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

    [[nodiscard]] bool has_value() const { return state_.index() == 0; }
    explicit operator bool() const { return has_value(); }
    T& operator*() & { return *std::get_if<0>(&state_); }
    const T& operator*() const& { return *std::get_if<0>(&state_); }
    T&& operator*() && { return std::move(*std::get_if<0>(&state_)); }
    T* operator->() { return std::get_if<0>(&state_); }
    const T* operator->() const { return std::get_if<0>(&state_); }
    [[nodiscard]] const Error& error() const& { return *std::get_if<1>(&state_); }
    [[nodiscard]] Error&& error() && { return std::move(*std::get_if<1>(&state_)); }

  private:
    std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
  public:
    Result() = default;
    Result(Error error) : error_(std::move(error)) {}

    [[nodiscard]] bool has_value() const { return !error_; }
    explicit operator bool() const { return has_value(); }
    [[nodiscard]] const Error& error() const& { return *error_; }
    [[nodiscard]] Error&& error() && { return std::move(*error_); }

  private:
    std::optional<Error> error_;
};

} // namespace sotto
