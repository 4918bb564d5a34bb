// SPDX-License-Identifier: Apache-2.0
#include "engine/template/jinja/text.h"

namespace sotto::jinja {

void Text::append(std::string_view bytes, Origin origin) {
    if (bytes.empty()) {
        return;
    }
    if (bytes_.empty()) {
        first_ = origin;
        flips_.clear();
    } else if (origin_after(static_cast<std::ptrdiff_t>(flips_.size())) != origin) {
        flips_.push_back(bytes_.size());
    }
    bytes_.append(bytes);
}

void Text::append(const Text& text, std::size_t begin, std::size_t end) {
    text.each_run(begin, end,
                  [this](std::string_view bytes, Origin origin) { append(bytes, origin); });
}

Text Text::slice(std::size_t begin, std::size_t end) const {
    Text part;
    part.append(*this, begin, end);
    return part;
}

std::vector<Span> Text::trusted() const {
    std::vector<Span> spans;
    std::size_t at = 0;
    each_run([&](std::string_view bytes, Origin origin) {
        if (origin == Origin::trusted) {
            spans.push_back({at, at + bytes.size()});
        }
        at += bytes.size();
    });
    return spans;
}

} // namespace sotto::jinja
