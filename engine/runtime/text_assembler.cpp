// SPDX-License-Identifier: Apache-2.0
#include "engine/runtime/text_assembler.h"

#include "engine/base/utf8.h"

#include <algorithm>
#include <utility>

namespace sotto::runtime {

TextAssembler::Stop::Stop(std::string t) : text(std::move(t)), fallback(text.size(), 0) {
    for (std::size_t i = 1, n = 0; i < text.size(); ++i) {
        while (n > 0 && text[n] != text[i]) {
            n = fallback[n - 1];
        }
        n += text[n] == text[i] ? 1 : 0;
        fallback[i] = n;
    }
}

void TextAssembler::Stop::advance(char c) {
    while (matched > 0 && text[matched] != c) {
        matched = fallback[matched - 1];
    }
    matched += text[matched] == c ? 1 : 0;
}

TextAssembler::TextAssembler(const std::vector<std::string>& stops) {
    for (const std::string& stop : stops) {
        if (!stop.empty()) {
            stops_.emplace_back(utf8::sanitize(stop)); // as the text is that it is looked for in
        }
    }
}

std::size_t TextAssembler::advance(char c) {
    std::size_t longest = 0;
    for (Stop& stop : stops_) {
        stop.advance(c);
        longest = std::max(longest, stop.complete() ? stop.text.size() : 0);
    }
    return longest;
}

std::string TextAssembler::push(std::string_view bytes) {
    if (stopped_) {
        return {};
    }
    raw_ += bytes;
    const std::size_t whole = raw_.size() - utf8::incomplete_tail(raw_);
    const std::string text = utf8::sanitize(std::string_view(raw_).substr(0, whole));
    raw_.erase(0, whole);
    for (const char c : text) {
        held_ += c;
        if (const std::size_t n_stop = advance(c); n_stop > 0) {
            stopped_ = true;
            raw_.clear();
            held_.resize(held_.size() - n_stop);
            return std::exchange(held_, {});
        }
    }
    std::size_t n_held = 0;
    for (const Stop& stop : stops_) {
        n_held = std::max(n_held, stop.matched);
    }
    std::string shown = held_.substr(0, held_.size() - n_held);
    held_.erase(0, held_.size() - n_held);
    return shown;
}

std::string TextAssembler::finish() {
    return std::exchange(held_, {}) + utf8::sanitize(std::exchange(raw_, {}));
}

} // namespace sotto::runtime
