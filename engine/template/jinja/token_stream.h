// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/template/jinja/failure.h"
#include "engine/template/jinja/lexer.h"
#include "engine/template/jinja/limits.h"

#include <string>
#include <utility>

namespace sotto::jinja {

/// The tokens with a place in them. Each failure names the line.
class TokenStream {
  public:
    explicit TokenStream(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

    [[nodiscard]] const Token& current() const { return tokens_[at_]; }
    [[nodiscard]] const Token& ahead() const {
        return tokens_[at_ + 1 < tokens_.size() ? at_ + 1 : at_];
    }
    const Token& next() {
        const Token& token = tokens_[at_];
        at_ += at_ + 1 < tokens_.size() ? 1 : 0; // stays on the end
        return token;
    }
    [[nodiscard]] int line() const { return static_cast<int>(current().line); }

    [[nodiscard]] bool is(TokenType type) const { return current().type == type; }
    [[nodiscard]] bool is_op(std::string_view op) const { return is(TokenType::op, op); }
    [[nodiscard]] bool is_name(std::string_view name) const { return is(TokenType::name, name); }
    [[nodiscard]] bool is(TokenType type, std::string_view text) const {
        return current().type == type && current().text == text;
    }
    bool skip_op(std::string_view op) { return skip(TokenType::op, op); }
    bool skip_name(std::string_view name) { return skip(TokenType::name, name); }
    void expect_op(std::string_view op) {
        if (!skip_op(op)) {
            unexpected("'" + std::string(op) + "'");
        }
    }
    const Token& expect(TokenType type, const std::string& what) {
        if (!is(type)) {
            unexpected(what);
        }
        return next();
    }

    [[noreturn]] void unexpected(const std::string& wanted) const {
        fail_at(current().line, "expected " + wanted + ", found " + described());
    }
    [[noreturn]] void fail_here(const std::string& what) const { fail_at(current().line, what); }
    [[noreturn]] static void fail_at(std::uint32_t line, const std::string& what,
                                     ErrorCode code = ErrorCode::bad_file) {
        throw Failure{code, "line " + std::to_string(line) + ": " + what};
    }

    void enter() {
        if (++depth_ > kMaxSourceDepth) {
            fail_here("blocks and brackets nest deeper than " + std::to_string(kMaxSourceDepth));
        }
    }
    void leave() { --depth_; }

  private:
    bool skip(TokenType type, std::string_view text) {
        const bool there = is(type, text);
        if (there) {
            next();
        }
        return there;
    }
    [[nodiscard]] std::string described() const;

    std::vector<Token> tokens_;
    std::size_t at_ = 0;
    int depth_ = 0;
};

/// One level of the source's nesting.
class SourceLevel {
  public:
    explicit SourceLevel(TokenStream& tokens) : tokens_(tokens) { tokens_.enter(); }
    ~SourceLevel() { tokens_.leave(); }
    SourceLevel(const SourceLevel&) = delete;
    SourceLevel& operator=(const SourceLevel&) = delete;

  private:
    TokenStream& tokens_;
};

} // namespace sotto::jinja
