// SPDX-License-Identifier: Apache-2.0
#include "engine/base/message.h"

#include "engine/base/utf8.h"

namespace sotto::message {

std::string quoted(std::string_view name) {
    constexpr std::size_t kMax = 80;
    std::string_view shown = name.substr(0, kMax);
    if (shown.size() < name.size()) {
        shown.remove_suffix(utf8::incomplete_tail(shown));
    }
    std::string text = utf8::sanitize(shown);
    for (char& c : text) {
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
            c = '?';
        }
    }
    return "'" + text + (name.size() > kMax ? "...'" : "'");
}

std::string counted(std::size_t n, std::string_view what) {
    return std::to_string(n) + " " + std::string(what) + (n == 1 ? "" : "s");
}

} // namespace sotto::message
