// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/input_file.h"
#include "engine/base/result.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sotto::formats {

/// Reads the front of a file in order, in pieces as they are needed. Every read says whether there
/// were enough bytes; the first failure is kept and all later reads fail too. Lengths come from the
/// file: each is compared with what is left before memory is taken for it.
class HeaderReader {
  public:
    /// Both outlive the reader; `bytes` is filled with the header.
    HeaderReader(const InputFile& file, std::vector<std::byte>& bytes)
        : file_(file), bytes_(bytes) {}

    /// What is read from here on, for messages: "key 'general.name'".
    void begin(std::string what) { what_ = std::move(what); }
    [[nodiscard]] const std::string& what() const { return what_; }
    [[nodiscard]] std::uint64_t position() const { return position_; }
    [[nodiscard]] std::uint64_t remaining() const { return file_.size() - position_; }
    [[nodiscard]] std::uint64_t file_bytes() const { return file_.size(); }
    [[nodiscard]] bool failed() const { return error_.has_value(); }
    [[nodiscard]] Error take_error() { return *std::move(error_); }

    /// Keeps the error with the path in front of its message; false.
    bool fail(ErrorCode code, const std::string& message);
    /// A number or such as it lies in the file.
    template <class T>
    bool read(T& value) {
        if (!need(sizeof(T))) {
            return false;
        }
        std::memcpy(&value, bytes_.data() + position_, sizeof(T));
        position_ += sizeof(T);
        return true;
    }
    /// A u64 length and so many bytes.
    bool read_string(std::uint64_t max_bytes, std::string& text);
    bool skip_string();
    bool skip(std::uint64_t n_bytes);
    /// The next bytes, which stay to be read; all of them if there are fewer.
    std::string_view peek(std::size_t max_bytes);
    /// The header ends here: what was read ahead is given back.
    void finish();

  private:
    bool need(std::uint64_t n_bytes);
    bool fill(std::uint64_t end);

    const InputFile& file_;
    std::vector<std::byte>& bytes_;
    std::uint64_t position_ = 0;
    std::string what_;
    std::optional<Error> error_;
};

} // namespace sotto::formats
