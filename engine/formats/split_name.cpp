// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/split_name.h"

#include <cstdio>

namespace sotto::formats {
namespace {

constexpr std::size_t kDigits = 5;
constexpr std::string_view kOf = "-of-";
constexpr std::size_t kTail = 1 + kDigits + kOf.size() + kDigits; // "-00001-of-00003"

/// Nullopt unless all are digits.
std::optional<std::uint32_t> number(std::string_view digits) {
    std::uint32_t n = 0;
    for (const char c : digits) {
        if (c < '0' || c > '9') {
            return {};
        }
        n = n * 10 + static_cast<std::uint32_t>(c - '0');
    }
    return n;
}

} // namespace

std::string split_ending(std::uint64_t no, std::uint64_t count, std::string_view extension) {
    char text[64];
    std::snprintf(text, sizeof text, "-%05llu-of-%05llu", static_cast<unsigned long long>(no),
                  static_cast<unsigned long long>(count));
    return std::string(text).append(extension);
}

std::string SplitName::path_of(std::uint32_t other_no) const {
    return stem + split_ending(other_no, count, extension);
}

std::optional<SplitName> parse_split_name(std::string_view path, std::string_view extension) {
    if (!path.ends_with(extension) || path.size() < extension.size() + kTail) {
        return {};
    }
    path.remove_suffix(extension.size());
    const std::string_view tail = path.substr(path.size() - kTail);
    if (tail[0] != '-' || tail.substr(1 + kDigits, kOf.size()) != kOf) {
        return {};
    }
    const auto no = number(tail.substr(1, kDigits));
    const auto count = number(tail.substr(kTail - kDigits));
    if (!no || !count || *no < 1 || *no > *count) {
        return {};
    }
    return SplitName{std::string(path.substr(0, path.size() - kTail)), *no, *count,
                     std::string(extension)};
}

} // namespace sotto::formats
