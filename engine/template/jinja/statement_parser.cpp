// SPDX-License-Identifier: Apache-2.0
#include "engine/template/jinja/statement_parser.h"

#include <algorithm>

namespace sotto::jinja {

Body StatementParser::top() {
    Body all = body({});
    names_.finish();
    return all;
}

Body StatementParser::body(std::initializer_list<std::string_view> ends) {
    const SourceLevel level(tokens_);
    Body statements;
    while (!tokens_.is(TokenType::end)) {
        if (tokens_.is(TokenType::block_begin)) {
            tokens_.next();
            const bool ended =
                tokens_.is(TokenType::name) &&
                std::find(ends.begin(), ends.end(), tokens_.current().text) != ends.end();
            if (ended) {
                return statements;
            }
        }
        statements.push_back(statement());
    }
    if (ends.size() > 0) {
        tokens_.unexpected("'" + std::string(*ends.begin()) + "'");
    }
    return statements;
}

Body StatementParser::block(std::string_view end) {
    tokens_.skip_op(":");
    end_tag();
    Body statements = body({end});
    tokens_.next();
    return statements;
}

StatementParser::StmtPtr StatementParser::statement() {
    const int line = tokens_.line();
    StmtPtr made;
    if (tokens_.is(TokenType::data)) {
        auto data = std::make_unique<Data>();
        data->text = tokens_.next().text;
        made = std::move(data);
    } else if (tokens_.is(TokenType::variable_begin)) {
        tokens_.next();
        auto print = std::make_unique<Print>();
        print->expr = expressions_.tuple();
        tokens_.expect(TokenType::variable_end, "the end of the tag");
        made = std::move(print);
    } else {
        made = tag(tokens_.expect(TokenType::name, "a tag's name").text);
        end_tag();
    }
    made->line = line;
    return made;
}

StatementParser::StmtPtr StatementParser::tag(std::string_view name) {
    using Parse = StmtPtr (StatementParser::*)();
    static constexpr std::pair<std::string_view, Parse> kTags[] = {
        {"if", &StatementParser::if_tag},     {"for", &StatementParser::for_tag},
        {"set", &StatementParser::set_tag},   {"macro", &StatementParser::macro_tag},
        {"call", &StatementParser::call_tag}, {"filter", &StatementParser::filter_tag},
        {"with", &StatementParser::with_tag}, {"generation", &StatementParser::generation_tag},
    };
    static constexpr std::string_view kAbsent[] = {"include", "import", "from",      "extends",
                                                   "block",   "print",  "autoescape"};
    for (const auto& [tag_name, parse] : kTags) {
        if (name == tag_name) {
            return (this->*parse)();
        }
    }
    if (name == "break" || name == "continue") {
        return jump_tag(name == "break" ? Flow::break_loop : Flow::continue_loop);
    }
    const bool known = std::find(std::begin(kAbsent), std::end(kAbsent), name) != std::end(kAbsent);
    TokenStream::fail_at(tokens_.current().line,
                         known ? "the tag '" + std::string(name) + "' is not supported"
                               : "unknown tag '" + std::string(name) + "'",
                         known ? ErrorCode::unsupported : ErrorCode::bad_file);
}

StatementParser::StmtPtr StatementParser::if_tag() {
    auto made = std::make_unique<If>();
    const auto branch = [&](std::initializer_list<std::string_view> ends) {
        tokens_.skip_op(":");
        end_tag();
        names_.open_branch();
        Body statements = body(ends);
        names_.close_branch();
        return statements;
    };
    do {
        ExprPtr test = expressions_.tuple(false);
        made->branches.emplace_back(std::move(test), branch({"endif", "else", "elif"}));
    } while (tokens_.skip_name("elif"));
    if (tokens_.skip_name("else")) {
        made->otherwise = branch({"endif"});
    }
    tokens_.next();
    return made;
}

void StatementParser::refuse_loop(const Target& target, Symbol loop) const {
    if (target.type == Target::Type::name && target.symbol == loop) {
        tokens_.fail_here("a for cannot assign to 'loop'");
    }
    for (const Target& item : target.items) {
        refuse_loop(item, loop);
    }
}

void StatementParser::declare(const Target& target, bool as_parameter) {
    if (target.type == Target::Type::attribute) {
        names_.read(target.symbol);
    } else if (target.type == Target::Type::name) {
        as_parameter ? names_.parameter(target.symbol) : names_.set(target.symbol);
    }
    for (const Target& item : target.items) {
        declare(item, as_parameter);
    }
}

StatementParser::StmtPtr StatementParser::for_tag() {
    auto made = std::make_unique<For>();
    made->loop = names_.intern("loop");
    made->target = expressions_.target(false, "in");
    refuse_loop(made->target, made->loop);
    if (!tokens_.skip_name("in")) {
        tokens_.unexpected("'in'");
    }
    made->iterated = expressions_.tuple(false, "recursive");
    if (tokens_.skip_name("if")) {
        names_.open();
        declare(made->target, true);
        made->test = expressions_.expression();
        names_.close();
    }
    made->recursive = tokens_.skip_name("recursive");
    tokens_.skip_op(":");
    end_tag();

    const std::size_t frame = names_.open();
    made->hidden = names_.hidden(frame);
    declare(made->target, true);
    names_.parameter(made->loop);
    ++n_loops_;
    made->body = body({"endfor", "else"});
    --n_loops_;
    names_.close();
    if (tokens_.skip_name("else")) {
        made->hidden_otherwise = names_.hidden(names_.open());
        made->otherwise = block("endfor");
        names_.close();
    } else {
        tokens_.next();
    }
    return made;
}

StatementParser::StmtPtr StatementParser::set_tag() {
    Target target = expressions_.target(true);
    if (tokens_.skip_op("=")) {
        auto made = std::make_unique<Set>();
        made->expr = expressions_.tuple();
        declare(target, false);
        made->target = std::move(target);
        return made;
    }
    auto made = std::make_unique<SetBlock>();
    declare(target, false);
    made->target = std::move(target);
    made->hidden = names_.hidden(names_.open());
    made->filters = expressions_.filters(false);
    made->body = block("endset");
    names_.close();
    return made;
}

void StatementParser::parameter(MacroCode& code) {
    const Symbol symbol = names_.intern(tokens_.expect(TokenType::name, "a parameter's name").text);
    names_.parameter(symbol);
    ExprPtr otherwise = tokens_.skip_op("=") ? expressions_.expression() : nullptr;
    if (!otherwise && !code.parameters.empty() && code.parameters.back().second) {
        tokens_.fail_here("a parameter without a default behind one with");
    }
    code.parameters.emplace_back(symbol, std::move(otherwise));
}

/// Opens the macro's frame and closes it again.
std::size_t StatementParser::signature(MacroCode& code) {
    const std::size_t frame = names_.open();
    code.hidden = names_.hidden(frame);
    code.caller = names_.intern("caller");
    code.kwargs = names_.intern("kwargs");
    code.varargs = names_.intern("varargs");
    if (tokens_.skip_op("(")) {
        while (!tokens_.skip_op(")")) {
            if (!code.parameters.empty()) {
                tokens_.expect_op(",");
            }
            parameter(code);
        }
    }
    names_.close();
    return frame;
}

void StatementParser::macro_body(MacroCode& code, std::size_t frame, std::string_view end) {
    const int n_outer_loops = std::exchange(n_loops_, 0);
    names_.reopen(frame);
    for (const Symbol symbol : {code.caller, code.kwargs, code.varargs}) {
        names_.parameter(symbol);
    }
    code.body = block(end);
    names_.close();
    n_loops_ = n_outer_loops;
    const auto implied = [&](Symbol symbol, std::string_view name) {
        return names_.reads(frame, name) &&
               std::none_of(code.parameters.begin(), code.parameters.end(),
                            [symbol](const auto& p) { return p.first == symbol; });
    };
    code.uses_caller = implied(code.caller, "caller");
    code.uses_kwargs = implied(code.kwargs, "kwargs");
    code.uses_varargs = implied(code.varargs, "varargs");
}

StatementParser::StmtPtr StatementParser::macro_tag() {
    auto made = std::make_unique<MacroDef>();
    made->code.name = tokens_.expect(TokenType::name, "the macro's name").text;
    made->symbol = names_.intern(made->code.name);
    names_.set(made->symbol);
    if (!tokens_.is_op("(")) {
        tokens_.unexpected("'('");
    }
    const std::size_t frame = signature(made->code);
    macro_body(made->code, frame, "endmacro");
    return made;
}

StatementParser::StmtPtr StatementParser::call_tag() {
    auto made = std::make_unique<CallBlock>();
    const std::size_t frame = signature(made->code);
    ExprPtr call = expressions_.expression();
    const auto* postfix = dynamic_cast<const Postfix*>(call.get());
    if (postfix == nullptr || postfix->steps.back().type != PostfixStep::Type::call) {
        tokens_.fail_here("a call block without a call");
    }
    made->call.reset(static_cast<Postfix*>(call.release()));
    macro_body(made->code, frame, "endcall");
    return made;
}

StatementParser::StmtPtr StatementParser::filter_tag() {
    auto made = std::make_unique<FilterBlock>();
    made->hidden = names_.hidden(names_.open());
    made->filters = expressions_.filters(true);
    made->body = block("endfilter");
    names_.close();
    return made;
}

StatementParser::StmtPtr StatementParser::with_tag() {
    auto made = std::make_unique<With>();
    while (!tokens_.is(TokenType::block_end)) {
        if (!made->assignments.empty()) {
            tokens_.expect_op(",");
        }
        Target target = expressions_.target(false);
        tokens_.expect_op("=");
        made->assignments.emplace_back(std::move(target), expressions_.expression());
    }
    made->hidden = names_.hidden(names_.open());
    for (const auto& [target, expr] : made->assignments) {
        declare(target, true);
    }
    made->body = block("endwith");
    names_.close();
    return made;
}

StatementParser::StmtPtr StatementParser::generation_tag() {
    auto made = std::make_unique<Generation>();
    const int n_outer_loops = std::exchange(n_loops_, 0);
    made->hidden = names_.hidden(names_.open());
    made->body = block("endgeneration");
    names_.close();
    n_loops_ = n_outer_loops;
    return made;
}

StatementParser::StmtPtr StatementParser::jump_tag(Flow flow) {
    if (n_loops_ == 0) {
        tokens_.fail_here("break or continue outside of a loop");
    }
    auto made = std::make_unique<Jump>();
    made->flow = flow;
    return made;
}

} // namespace sotto::jinja
