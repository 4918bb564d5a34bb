// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/template/jinja/ast.h"
#include "engine/template/jinja/names.h"
#include "engine/template/jinja/token_stream.h"

namespace sotto::jinja {

/// Expressions by jinja2's grammar, in which ~ binds tighter than + and ** is not right to left.
class ExpressionParser {
  public:
    ExpressionParser(TokenStream& tokens, Names& names) : tokens_(tokens), names_(names) {}

    ExprPtr expression(bool with_condition = true);
    /// "a" or "a, b": up to the end of the tag, a closing bracket or the name `stop`.
    ExprPtr tuple(bool with_condition = true, std::string_view stop = {}, bool bracketed = false);
    /// "| f | g(x)"; at a name if `first_without_bar`.
    std::vector<PostfixStep> filters(bool first_without_bar);
    /// Names that are stored: "a", "a, b", "(a, b)", and "ns.a" if allowed. The caller declares
    /// them.
    Target target(bool with_attribute, std::string_view stop = {});

  private:
    ExprPtr logic(bool is_and);
    ExprPtr negation();
    ExprPtr comparison();
    ExprPtr sum();
    ExprPtr concat();
    ExprPtr product();
    ExprPtr power();
    ExprPtr unary(bool with_filters);
    ExprPtr primary();
    ExprPtr list();
    ExprPtr dict();
    ExprPtr literal();
    ExprPtr chain(ExprPtr (ExpressionParser::*part)(),
                  std::initializer_list<std::pair<std::string_view, Operator>> operators);
    bool comparison_operator(Comparison& op);

    bool postfix_step(std::vector<PostfixStep>& steps);
    bool filter_step(std::vector<PostfixStep>& steps);
    void subscript(PostfixStep& step);
    ExprPtr subscript_part(PostfixStep& step);
    void slice_parts(PostfixStep& step);
    PostfixStep filter();
    PostfixStep test();
    void test_argument(PostfixStep& step);
    CallArgs call_args();
    void call_arg(CallArgs& args);
    std::string dotted_name();
    Target target_part(bool with_attribute);
    [[nodiscard]] bool at_tuple_end(std::string_view stop) const;

    TokenStream& tokens_;
    Names& names_;
};

/// A string token's value: escapes as in Python. Throws Failure.
std::string unescaped(const Token& token);
/// The value of an integer or number token.
Value number_value(const Token& token);

} // namespace sotto::jinja
