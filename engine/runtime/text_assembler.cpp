// SPDX-License-Identifier: Apache-2.0
#include "engine/runtime/text_assembler.h"

#include "engine/base/utf8.h"

#include <algorithm>
#include <utility>

namespace sotto::runtime {

TextAssembler::TextAssembler(const std::vector<std::string>& stops) {
    for (const std::string& stop : stops) {
        if (!stop.empty()) {
            stops_.push_back(utf8::sanitize(stop));
        }
    }
}

std::size_t TextAssembler::find_stop() const {
    std::size_t first = std::string::npos;
    for (const std::string& stop : stops_) {
        first = std::min(first, held_.find(stop));
    }
    return first;
}

/// Length of the longest suffix of held_ that begins a stop string.
std::size_t TextAssembler::held_suffix() const {
    std::size_t longest = 0;
    for (const std::string& stop : stops_) {
        for (std::size_t n = std::min(stop.size() - 1, held_.size()); n > longest; --n) {
            if (std::string_view(held_).substr(held_.size() - n) == std::string_view(stop).substr(0, n)) {
                longest = n;
            }
        }
    }
    return longest;
}

std::string TextAssembler::push(std::string_view bytes) {
    if (stopped_) {
        return {};
    }
    raw_ += bytes;
    const std::size_t whole = raw_.size() - utf8::incomplete_tail(raw_);
    held_ += utf8::sanitize(std::string_view(raw_).substr(0, whole));
    raw_.erase(0, whole);
    if (const std::size_t at = find_stop(); at != std::string::npos) {
        stopped_ = true;
        std::string text = held_.substr(0, at);
        held_.clear();
        raw_.clear();
        return text;
    }
    const std::size_t keep = held_suffix();
    std::string text = held_.substr(0, held_.size() - keep);
    held_.erase(0, held_.size() - keep);
    return text;
}

std::string TextAssembler::finish() { return std::exchange(held_, {}) + utf8::sanitize(std::exchange(raw_, {})); }

} // namespace sotto::runtime
