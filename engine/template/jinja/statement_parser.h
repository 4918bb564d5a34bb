// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/template/jinja/expression_parser.h"

namespace sotto::jinja {

class StatementParser {
  public:
    StatementParser(TokenStream& tokens, Names& names)
        : tokens_(tokens), names_(names), expressions_(tokens, names) {}

    /// The whole template.
    Body top();

  private:
    using StmtPtr = std::unique_ptr<Stmt>;

    /// Statements up to a block that begins with one of `ends`, of which the name is current then.
    /// No ends: up to the end of the template.
    Body body(std::initializer_list<std::string_view> ends);
    /// The end of the opening tag, the body and the one word that ends it.
    Body block(std::string_view end);
    StmtPtr statement();
    StmtPtr tag(std::string_view name);

    StmtPtr if_tag();
    StmtPtr for_tag();
    StmtPtr set_tag();
    StmtPtr macro_tag();
    StmtPtr call_tag();
    StmtPtr filter_tag();
    StmtPtr with_tag();
    StmtPtr generation_tag();
    StmtPtr jump_tag(Flow flow);

    void parameter(MacroCode& code);
    std::size_t signature(MacroCode& code);
    void macro_body(MacroCode& code, std::size_t frame, std::string_view end);
    void refuse_loop(const Target& target, Symbol loop) const;
    void declare(const Target& target, bool as_parameter);
    void end_tag() { tokens_.expect(TokenType::block_end, "the end of the tag"); }

    TokenStream& tokens_;
    Names& names_;
    ExpressionParser expressions_;
    int n_loops_ = 0; // around here, inside the same macro
};

} // namespace sotto::jinja
