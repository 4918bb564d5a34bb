// SPDX-License-Identifier: Apache-2.0
#include "engine/runtime/thinking_splitter.h"

#include <algorithm>
#include <utility>

namespace sotto::runtime {
namespace {

constexpr const char* kBlanks = " \t\r\n";

/// Bytes at the end of `text` that may begin `mark`.
std::size_t beginning_of(std::string_view mark, std::string_view text) {
    for (std::size_t n = std::min(mark.size() - 1, text.size()); n > 0; --n) {
        if (text.ends_with(mark.substr(0, n))) {
            return n;
        }
    }
    return 0;
}

} // namespace

ThinkingSplitter::ThinkingSplitter(ThinkingMarks marks, bool inside)
    : marks_(std::move(marks)), state_(marks_.empty() ? State::answer
                                       : inside       ? State::thinking
                                                      : State::beginning) {}

ThinkingSplitter::Parts ThinkingSplitter::push(std::string_view text) {
    Parts parts;
    held_ += text;
    while (step(parts, false)) {
    }
    return parts;
}

ThinkingSplitter::Parts ThinkingSplitter::finish() {
    Parts parts;
    while (step(parts, true)) {
    }
    return parts;
}

/// False: nothing more can be told from what is held.
bool ThinkingSplitter::step(Parts& parts, bool at_end) {
    switch (state_) {
    case State::beginning:
        return begin(at_end);
    case State::thinking:
        return think(parts, at_end);
    case State::after:
        return skip_blanks();
    case State::answer:
        parts.text += std::exchange(held_, {});
        return false;
    }
    return false;
}

/// Does the answer begin with the opening mark? Without one its blanks are its own.
bool ThinkingSplitter::begin(bool at_end) {
    const std::size_t start = std::min(held_.find_first_not_of(kBlanks), held_.size());
    const std::string_view rest = std::string_view(held_).substr(start);
    if (rest.starts_with(marks_.open) && !marks_.open.empty()) {
        held_.erase(0, start + marks_.open.size());
        state_ = State::thinking;
        return true;
    }
    if (!at_end && std::string_view(marks_.open).starts_with(rest)) {
        return false; // it may still come
    }
    state_ = State::answer;
    return true;
}

bool ThinkingSplitter::think(Parts& parts, bool at_end) {
    if (!said_anything_) {
        held_.erase(0, std::min(held_.find_first_not_of(kBlanks), held_.size()));
    }
    const std::size_t close = held_.find(marks_.close);
    const bool found = close != std::string::npos;
    std::size_t n = found ? close : held_.size();
    if (!found && !at_end) {
        n -= beginning_of(marks_.close, held_);
    }
    // Blanks before the mark are no part of the thought.
    const std::size_t last = std::string_view(held_).substr(0, n).find_last_not_of(kBlanks);
    const std::size_t shown = last == std::string::npos ? 0 : last + 1;
    parts.thinking += held_.substr(0, shown);
    said_anything_ = said_anything_ || shown > 0;
    held_.erase(0, found ? close + marks_.close.size() : shown);
    if (found) {
        state_ = State::after;
    }
    return found;
}

bool ThinkingSplitter::skip_blanks() {
    held_.erase(0, std::min(held_.find_first_not_of(kBlanks), held_.size()));
    if (held_.empty()) {
        return false;
    }
    state_ = State::answer;
    return true;
}

} // namespace sotto::runtime
