// SPDX-License-Identifier: Apache-2.0
#include "engine/template/jinja/number_text.h"

#include "engine/template/jinja/objects.h"
#include "engine/template/jinja/unicode.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace sotto::jinja {
namespace {

std::string_view trimmed(std::string_view text) {
    text.remove_prefix(leading_space(text));
    text.remove_suffix(trailing_space(text));
    return text;
}

/// Without underscores, which may stand between digits alone; false if one stands elsewhere.
bool without_underscores(std::string_view text, std::string& out) {
    const auto word = [&](std::size_t i) {
        const char c = i < text.size() ? text[i] : ' ';
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    };
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '_') {
            out += text[i];
        } else if (i == 0 || !word(i - 1) || !word(i + 1)) {
            return false;
        }
    }
    return true;
}

int base_of_prefix(std::string_view digits) {
    const char c = digits.size() > 2 && digits[0] == '0' ? digits[1] : ' ';
    return c == 'x' || c == 'X' ? 16 : c == 'o' || c == 'O' ? 8 : c == 'b' || c == 'B' ? 2 : 0;
}

std::string formatted(double d, int precision, std::chars_format format) {
    std::string buffer(400 + static_cast<std::size_t>(precision), '\0');
    const auto end =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), d, format, precision);
    buffer.resize(static_cast<std::size_t>(end.ptr - buffer.data()));
    return buffer;
}

} // namespace

bool integer_from_text(std::string_view text, std::int64_t base, Value& result) {
    std::string digits;
    text = trimmed(text);
    const bool minus = text.starts_with('-');
    text.remove_prefix(minus || text.starts_with('+') ? 1 : 0);
    if ((base != 0 && (base < 2 || base > 36)) || !without_underscores(text, digits)) {
        return false;
    }
    const int prefix = base_of_prefix(digits);
    if (prefix != 0 && (base == 0 || base == prefix)) {
        digits.erase(0, 2);
        base = prefix;
    } else if (base == 0) {
        base = 10;
    }
    digits.insert(0, minus ? "-" : "");
    std::int64_t i = 0;
    const char* end = digits.data() + digits.size();
    const auto read = std::from_chars(digits.data(), end, i, static_cast<int>(base));
    if (read.ptr != end || read.ec == std::errc::invalid_argument) {
        return false;
    }
    if (read.ec == std::errc::result_out_of_range) {
        if (base != 10) {
            return false;
        }
        result = {Kind::big, std::make_shared<StringData>(Text(digits, Origin::trusted))};
        return true;
    }
    result = Value::integer(i);
    return true;
}

bool number_from_text(std::string_view text, double& result) {
    std::string digits;
    text = trimmed(text);
    if (text.starts_with('+')) {
        text.remove_prefix(1);
        if (text.starts_with('-')) {
            return false;
        }
    }
    if (!without_underscores(text, digits) || digits.find('(') != std::string::npos) {
        return false;
    }
    const char* end = digits.data() + digits.size();
    const auto read = std::from_chars(digits.data(), end, result);
    if (read.ec == std::errc::result_out_of_range && read.ptr == end) {
        const std::size_t e = digits.find_first_of("eE");
        const bool tiny = e != std::string::npos && digits[e + 1] == '-';
        result = tiny ? 0.0 : std::numeric_limits<double>::infinity();
        result = digits[0] == '-' ? -result : result;
        return true;
    }
    return read.ec == std::errc() && read.ptr == end && !digits.empty();
}

std::string fixed_text(double d, int precision) {
    return formatted(d, precision, std::chars_format::fixed);
}
std::string scientific_text(double d, int precision) {
    return formatted(d, precision, std::chars_format::scientific);
}

std::string general_text(double d, int precision, bool keep_zeros) {
    precision = std::max(precision, 1);
    std::string text = scientific_text(d, precision - 1);
    int exponent = 0;
    const std::size_t e = text.find('e');
    std::from_chars(text.data() + e + (text[e + 1] == '+' ? 2 : 1), text.data() + text.size(),
                    exponent);
    std::string tail;
    if (exponent >= -4 && exponent < precision) {
        text = fixed_text(d, precision - 1 - exponent);
    } else {
        tail = text.substr(e);
        text.resize(e);
    }
    if (!keep_zeros && text.find('.') != std::string::npos) {
        text.erase(text.find_last_not_of('0') + 1);
        text.erase(text.find_last_not_of('.') + 1);
    }
    return text + tail;
}

} // namespace sotto::jinja
