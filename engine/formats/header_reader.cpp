// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/header_reader.h"

#include "engine/base/utf8.h"

#include <algorithm>

namespace sotto::formats {
namespace {

constexpr std::uint64_t kReadAhead = 1 << 20;
// A vocabulary of 256k tokens with merges takes 15 MiB; the limit keeps a hostile file from having
// itself read into memory as one endless list.
constexpr std::uint64_t kMaxHeader = 256 << 20;

} // namespace

bool HeaderReader::fail(ErrorCode code, const std::string& message) {
    if (!error_) {
        error_ = Error{code, "'" + file_.path() + "': " + message};
    }
    return false;
}

bool HeaderReader::need(std::uint64_t n_bytes) {
    if (error_) {
        return false;
    }
    if (n_bytes > remaining()) {
        return fail(ErrorCode::bad_file, "the file ends in " + what_ + ": " +
                                             std::to_string(n_bytes) + " bytes are wanted at " +
                                             std::to_string(position_) + ", the file has " +
                                             std::to_string(file_.size()) +
                                             "; it is cut off or damaged: download it again");
    }
    const std::uint64_t end = position_ + n_bytes;
    return end <= bytes_.size() || fill(end);
}

bool HeaderReader::fill(std::uint64_t end) {
    if (end > kMaxHeader) {
        return fail(ErrorCode::bad_file, "the header goes on past " +
                                             std::to_string(kMaxHeader >> 20) + " MiB in " + what_ +
                                             ", which no model needs");
    }
    const std::uint64_t begin = bytes_.size();
    const std::uint64_t ahead = begin + std::max(kReadAhead, begin / 2);
    bytes_.resize(std::min(file_.size(), std::max(end, ahead)));
    auto done = file_.read(begin, std::span(bytes_).subspan(begin));
    if (!done) {
        error_ = done.error(); // names the path itself
        return false;
    }
    return true;
}

bool HeaderReader::read_string(std::uint64_t max_bytes, std::string& text) {
    std::uint64_t n = 0;
    if (!read(n)) {
        return false;
    }
    if (n > max_bytes) {
        return fail(ErrorCode::bad_file, what_ + " has a name of " + std::to_string(n) +
                                             " bytes, at most " + std::to_string(max_bytes) +
                                             " are allowed");
    }
    if (!need(n)) {
        return false;
    }
    text.assign(reinterpret_cast<const char*>(bytes_.data() + position_), n);
    position_ += n;
    return true;
}

bool HeaderReader::skip_string() {
    std::uint64_t n = 0;
    return read(n) && skip(n);
}

bool HeaderReader::skip(std::uint64_t n_bytes) {
    if (!need(n_bytes)) {
        return false;
    }
    position_ += n_bytes;
    return true;
}

std::string_view HeaderReader::peek(std::size_t max_bytes) {
    const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(max_bytes, remaining()));
    if (!need(n)) {
        return {};
    }
    return {reinterpret_cast<const char*>(bytes_.data() + position_), n};
}

void HeaderReader::finish() {
    bytes_.resize(static_cast<std::size_t>(position_));
    bytes_.shrink_to_fit();
}

} // namespace sotto::formats
