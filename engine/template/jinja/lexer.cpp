// SPDX-License-Identifier: Apache-2.0
#include "engine/template/jinja/lexer.h"

#include "engine/template/jinja/failure.h"
#include "engine/template/jinja/unicode.h"

#include <algorithm>
#include <string>

namespace sotto::jinja {
namespace {

bool word_byte(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           static_cast<unsigned char>(c) >= 0x80;
}
bool digit(char c) {
    return c >= '0' && c <= '9';
}

class Lexer {
  public:
    explicit Lexer(std::string_view source) : source_(source) {}

    std::vector<Token> run() {
        while (at_ < source_.size()) {
            outside();
        }
        add(TokenType::end, {});
        return std::move(tokens_);
    }

  private:
    [[nodiscard]] std::string_view rest() const { return source_.substr(at_); }
    [[nodiscard]] bool next_is(std::string_view text) const { return rest().starts_with(text); }
    [[nodiscard]] char peek(std::size_t ahead = 0) const {
        return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0';
    }

    [[noreturn]] void fail_here(const std::string& what) {
        count_lines(at_);
        fail("line " + std::to_string(line_) + ": " + what);
    }

    void count_lines(std::size_t to) {
        for (; counted_ < std::min(to, source_.size()); ++counted_) {
            line_ += source_[counted_] == '\n' ? 1 : 0;
        }
    }

    void add(TokenType type, std::string_view text) {
        count_lines(text.data() != nullptr ? static_cast<std::size_t>(text.data() - source_.data())
                                           : at_);
        tokens_.push_back({type, line_, text});
    }

    void skip_space() { at_ += leading_space(rest()); }

    /// Over text and the tag behind it.
    void outside() {
        const std::size_t begin = at_;
        std::size_t tag = begin;
        do {
            tag = source_.find('{', tag);
            if (tag == std::string_view::npos || tag + 1 >= source_.size()) {
                at_ = source_.size();
                add(TokenType::data, source_.substr(begin));
                return;
            }
            ++tag;
        } while (source_[tag] != '{' && source_[tag] != '%' && source_[tag] != '#');
        at_ = tag + 1;
        const char kind = source_[tag];
        const char sign = peek() == '-' || peek() == '+' ? peek() : ' ';
        at_ += sign == ' ' ? 0 : 1;
        add_data(begin, tag - 1, sign, kind != '{');
        if (kind == '#') {
            comment();
        } else if (kind == '{') {
            inside(TokenType::variable_begin, TokenType::variable_end);
        } else if (!raw()) {
            inside(TokenType::block_begin, TokenType::block_end);
        }
    }

    void add_data(std::size_t begin, std::size_t end, char sign, bool strips_line) {
        std::string_view text = source_.substr(begin, end - begin);
        if (sign == '-') {
            text.remove_suffix(trailing_space(text));
        } else if (sign != '+' && strips_line) {
            const std::size_t break_at = text.rfind('\n');
            const std::size_t line = break_at == std::string_view::npos ? 0 : break_at + 1;
            if ((line > 0 || line_starts_) && trailing_space(text) >= text.size() - line) {
                text = text.substr(0, line);
            }
        }
        if (!text.empty()) {
            add(TokenType::data, text);
        }
    }

    /// What may follow the sign and the two characters that end a block or comment.
    void after_end(char sign) {
        const std::size_t end = at_;
        if (sign == '-') {
            skip_space();
        } else if (sign != '+' && peek() == '\n') {
            ++at_;
        }
        line_starts_ = at_ > end && source_[at_ - 1] == '\n';
    }

    void comment() {
        const std::size_t end = source_.find("#}", at_);
        if (end == std::string_view::npos) {
            fail_here("a comment without its end");
        }
        const char sign = end > at_ ? source_[end - 1] : ' ';
        at_ = end + 2;
        after_end(sign);
    }

    /// At "raw %}" behind a block's begin: over all to its end.
    bool raw() {
        const std::size_t begin = at_;
        skip_space();
        if (!next_is("raw") || word_byte(peek(3))) {
            at_ = begin;
            return false;
        }
        at_ += 3;
        skip_space();
        const char sign = peek();
        if (!next_is("%}") && !next_is("-%}")) {
            at_ = begin;
            return false;
        }
        at_ += sign == '-' ? 3 : 2;
        if (sign == '-') {
            skip_space();
        }
        line_starts_ = source_[at_ - 1] == '\n';
        raw_body();
        return true;
    }

    void raw_body() {
        const std::size_t begin = at_;
        for (std::size_t tag = source_.find("{%", begin); tag != std::string_view::npos;
             tag = source_.find("{%", tag + 2)) {
            at_ = tag + 2;
            const char sign = peek() == '-' || peek() == '+' ? peek() : ' ';
            at_ += sign == ' ' ? 0 : 1;
            skip_space();
            if (!next_is("endraw")) {
                continue;
            }
            at_ += 6;
            skip_space();
            const char end_sign = peek() == '-' || peek() == '+' ? peek() : ' ';
            at_ += end_sign == ' ' ? 0 : 1;
            if (next_is("%}")) {
                at_ += 2;
                add_data(begin, tag, sign, true);
                after_end(end_sign);
                return;
            }
        }
        at_ = begin;
        fail_here("a raw block without its end");
    }

    /// Over the rest of a tag.
    void inside(TokenType begin, TokenType end) {
        add(begin, source_.substr(at_, 0));
        const bool block = end == TokenType::block_end;
        const std::string_view close = block ? "%}" : "}}";
        std::string brackets; // what closes the open ones
        for (;;) {
            skip_space();
            if (at_ >= source_.size()) {
                fail_here("a tag without its end");
            }
            if (brackets.empty()) {
                const bool signed_end = (peek() == '-' || (block && peek() == '+')) &&
                                        rest().substr(1).starts_with(close);
                if (signed_end || next_is(close)) {
                    const char sign = signed_end ? peek() : block ? ' ' : '+';
                    add(end, source_.substr(at_, 0));
                    at_ += signed_end ? 3 : 2;
                    after_end(sign);
                    return;
                }
            }
            token(brackets);
        }
    }

    void token(std::string& brackets) {
        const char c = peek();
        if (digit(c)) {
            number();
        } else if (word_byte(c)) {
            const std::size_t begin = at_;
            while (word_byte(peek())) {
                ++at_;
            }
            add(TokenType::name, source_.substr(begin, at_ - begin));
        } else if (c == '\'' || c == '"') {
            string(c);
        } else {
            operator_token(brackets);
        }
    }

    void string(char quote) {
        const std::size_t begin = at_++;
        for (; at_ < source_.size() && source_[at_] != quote; ++at_) {
            at_ += source_[at_] == '\\' ? 1 : 0;
        }
        if (at_ >= source_.size()) {
            at_ = begin;
            fail_here("a string without its end");
        }
        ++at_;
        add(TokenType::string, source_.substr(begin, at_ - begin));
    }

    /// Over digits with single underscores between them.
    void digits() {
        while (digit(peek()) || (peek() == '_' && digit(peek(1)))) {
            ++at_;
        }
    }

    void number() {
        const std::size_t begin = at_;
        if (peek() == '0' && std::string_view("bBoOxX").find(peek(1)) != std::string_view::npos &&
            peek(1) != '\0') {
            for (at_ += 2; word_byte(peek());) {
                ++at_;
            }
            return add(TokenType::integer, source_.substr(begin, at_ - begin));
        }
        digits();
        bool is_float = false;
        if (begin == 0 || source_[begin - 1] != '.') {
            if (peek() == '.' && digit(peek(1))) {
                ++at_;
                digits();
                is_float = true;
            }
            const std::size_t sign = peek(1) == '+' || peek(1) == '-' ? 1 : 0;
            if ((peek() == 'e' || peek() == 'E') && digit(peek(1 + sign))) {
                at_ += 1 + sign;
                digits();
                is_float = true;
            }
        }
        add(is_float ? TokenType::number : TokenType::integer, source_.substr(begin, at_ - begin));
    }

    void operator_token(std::string& brackets) {
        static constexpr std::string_view kTwo[] = {"//", "**", "==", "!=", ">=", "<="};
        static constexpr std::string_view kOne = "+-/*%~[](){}><=.:|,;";
        const char c = peek();
        const bool two = std::any_of(std::begin(kTwo), std::end(kTwo),
                                     [this](std::string_view op) { return next_is(op); });
        if (!two && kOne.find(c) == std::string_view::npos) {
            fail_here("unexpected character " +
                      std::string(rest().substr(0, next_char(rest()).n_bytes)));
        }
        if (c == '(' || c == '[' || c == '{') {
            brackets += c == '(' ? ')' : c == '[' ? ']' : '}';
        } else if (c == ')' || c == ']' || c == '}') {
            if (brackets.empty() || brackets.back() != c) {
                fail_here(std::string("unexpected '") + c + "'");
            }
            brackets.pop_back();
        }
        add(TokenType::op, rest().substr(0, two ? 2 : 1));
        at_ += two ? 2 : 1;
    }

    std::string_view source_;
    std::size_t at_ = 0;
    std::size_t counted_ = 0; // up to here lines are counted
    std::uint32_t line_ = 1;
    bool line_starts_ = true; // what comes next stands at the begin of a line
    std::vector<Token> tokens_;
};

} // namespace

std::vector<Token> tokenize(std::string_view source) {
    return Lexer(source).run();
}

} // namespace sotto::jinja
