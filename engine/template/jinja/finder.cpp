// SPDX-License-Identifier: Apache-2.0
#include "engine/template/jinja/finder.h"

namespace sotto::jinja {

Finder::Finder(std::string_view needle, bool backwards) : needle_(needle), border_(needle.size()) {
    const auto at = [&](std::size_t i) {
        return backwards ? needle[needle.size() - 1 - i] : needle[i];
    };
    for (std::size_t i = 1, matched = 0; i < needle.size(); ++i) {
        while (matched > 0 && at(i) != at(matched)) {
            matched = border_[matched - 1];
        }
        matched += at(i) == at(matched) ? 1 : 0;
        border_[i] = matched;
    }
}

std::size_t Finder::find(std::string_view text, std::size_t from) const {
    if (needle_.size() <= 1) {
        return text.find(needle_, from);
    }
    std::size_t matched = 0;
    for (std::size_t i = from; i < text.size(); ++i) {
        if (matched == 0) {
            i = text.find(needle_.front(), i);
            if (i == kNone) {
                return kNone;
            }
        }
        while (matched > 0 && text[i] != needle_[matched]) {
            matched = border_[matched - 1];
        }
        matched += text[i] == needle_[matched] ? 1 : 0;
        if (matched == needle_.size()) {
            return i + 1 - matched;
        }
    }
    return kNone;
}

std::size_t Finder::find_last(std::string_view text) const {
    const auto needle = [this](std::size_t i) { return needle_[needle_.size() - 1 - i]; };
    if (needle_.empty()) {
        return text.size();
    }
    std::size_t matched = 0;
    for (std::size_t i = text.size(); i-- > 0;) {
        while (matched > 0 && text[i] != needle(matched)) {
            matched = border_[matched - 1];
        }
        matched += text[i] == needle(matched) ? 1 : 0;
        if (matched == needle_.size()) {
            return i;
        }
    }
    return kNone;
}

} // namespace sotto::jinja
