// SPDX-License-Identifier: Apache-2.0
// The values of string and number tokens, and how tokens are named in messages.
#include "engine/template/jinja/expression_parser.h"
#include "engine/template/jinja/unicode.h"

#include <algorithm>
#include <charconv>

namespace sotto::jinja {
namespace {

/// Reads one escape behind its backslash and removes it from `rest`.
class Escape {
  public:
    Escape(std::string& out, std::string_view& rest, std::uint32_t line)
        : out_(out), rest_(rest), line_(line) {}

    void read() {
        static constexpr std::string_view kNames = "abfnrtv\\'\"";
        static constexpr std::string_view kBytes = "\a\b\f\n\r\t\v\\'\"";
        const char c = take();
        if (const std::size_t at = kNames.find(c); at != std::string_view::npos) {
            out_ += kBytes[at];
        } else if (c == 'x' || c == 'u' || c == 'U') {
            code_point(c == 'x' ? 2 : c == 'u' ? 4 : 8);
        } else if (c >= '0' && c <= '7') {
            octal(c);
        } else if (c == 'N') {
            TokenStream::fail_at(line_, "characters by name (\\N) are not supported");
        } else if (c != '\n') {
            out_ += '\\';
            out_ += c;
        }
    }

  private:
    char take() {
        const char c = rest_.front();
        rest_.remove_prefix(1);
        return c;
    }

    std::uint32_t hex(std::size_t n_digits) {
        std::uint32_t code = 0;
        const std::string_view digits = rest_.substr(0, n_digits);
        const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
        if (digits.size() < n_digits || end.ptr != digits.data() + n_digits) {
            TokenStream::fail_at(line_, "an escape without its hexadecimal digits");
        }
        rest_.remove_prefix(n_digits);
        return code;
    }

    void code_point(std::size_t n_digits) {
        std::uint32_t code = hex(n_digits);
        if (code >= 0xD800 && code < 0xDC00 && rest_.starts_with("\\u")) {
            rest_.remove_prefix(2);
            const std::uint32_t low = hex(4);
            code = low >= 0xDC00 && low < 0xE000
                       ? 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00)
                       : 0xFFFD;
        }
        if (code > 0x10FFFF) {
            TokenStream::fail_at(line_, "an escape beyond U+10FFFF");
        }
        append_utf8(out_, code >= 0xD800 && code < 0xE000 ? 0xFFFD : code);
    }

    void octal(char first) {
        auto code = static_cast<std::uint32_t>(first - '0');
        for (int i = 0; i < 2 && !rest_.empty() && rest_.front() >= '0' && rest_.front() <= '7';
             ++i) {
            code = code * 8 + static_cast<std::uint32_t>(take() - '0');
        }
        append_utf8(out_, code);
    }

    std::string& out_;
    std::string_view& rest_;
    std::uint32_t line_;
};

} // namespace

std::string unescaped(const Token& token) {
    std::string_view rest = token.text.substr(1, token.text.size() - 2);
    std::string out;
    while (!rest.empty()) {
        const std::size_t plain = std::min(rest.find('\\'), rest.size());
        out += rest.substr(0, plain);
        rest.remove_prefix(plain);
        if (!rest.empty()) {
            rest.remove_prefix(1);
            Escape(out, rest, token.line).read();
        }
    }
    return out;
}

Value number_value(const Token& token) {
    std::string digits(token.text);
    std::erase(digits, '_');
    std::string_view text = digits;
    int base = 10;
    if (text.size() > 2 && text[0] == '0' && text[1] > '9') {
        base = text[1] == 'x' || text[1] == 'X' ? 16 : text[1] == 'o' || text[1] == 'O' ? 8 : 2;
        text.remove_prefix(2);
    }
    const char* end = text.data() + text.size();
    if (token.type == TokenType::number) {
        double d = 0;
        const auto read = std::from_chars(text.data(), end, d);
        if (read.ec == std::errc::result_out_of_range) {
            TokenStream::fail_at(token.line, "the number " + digits + " is out of range");
        }
        return Value::number(d);
    }
    std::int64_t i = 0;
    const auto read = std::from_chars(text.data(), end, i, base);
    if (read.ec != std::errc() || read.ptr != end ||
        (base == 10 && text.size() > 1 && text[0] == '0' &&
         text.find_first_not_of('0') != std::string_view::npos)) {
        TokenStream::fail_at(token.line, "the number " + digits + " cannot be read");
    }
    return Value::integer(i);
}

std::string TokenStream::described() const {
    switch (current().type) {
    case TokenType::end:
        return "the end of the template";
    case TokenType::variable_end:
    case TokenType::block_end:
        return "the end of the tag";
    case TokenType::data:
    case TokenType::variable_begin:
    case TokenType::block_begin:
        return "text or a tag";
    default:
        return "'" + std::string(current().text.substr(0, 40)) + "'";
    }
}

} // namespace sotto::jinja
