// SPDX-License-Identifier: Apache-2.0
// What may follow an expression: attributes, subscripts, calls, filters and tests.
#include "engine/template/jinja/expression_parser.h"

namespace sotto::jinja {

bool ExpressionParser::postfix_step(std::vector<PostfixStep>& steps) {
    PostfixStep step;
    step.line = tokens_.line();
    if (tokens_.skip_op(".")) {
        if (tokens_.is(TokenType::integer)) {
            auto index = std::make_unique<Constant>();
            index->value = number_value(tokens_.next());
            step.type = PostfixStep::Type::item;
            step.start = std::move(index);
        } else {
            step.name = tokens_.expect(TokenType::name, "a name or a number").text;
        }
    } else if (tokens_.skip_op("[")) {
        subscript(step);
    } else if (tokens_.is_op("(")) {
        step.type = PostfixStep::Type::call;
        step.args = call_args();
    } else {
        return false;
    }
    steps.push_back(std::move(step));
    return true;
}

void ExpressionParser::subscript(PostfixStep& step) {
    step.type = PostfixStep::Type::item;
    ExprPtr first = subscript_part(step);
    if (tokens_.is_op(",")) {
        if (step.type == PostfixStep::Type::slice) {
            tokens_.fail_here("a slice among several subscripts");
        }
        auto tuple = std::make_unique<ListExpr>();
        tuple->flavor = Flavor::tuple;
        tuple->items.push_back(std::move(first));
        while (tokens_.skip_op(",")) {
            tuple->items.push_back(expression());
        }
        first = std::move(tuple);
    }
    tokens_.expect_op("]");
    step.start = std::move(first);
}

/// The index, or the start of a slice.
ExprPtr ExpressionParser::subscript_part(PostfixStep& step) {
    ExprPtr start;
    if (!tokens_.is_op(":")) {
        start = expression();
    }
    if (tokens_.skip_op(":")) {
        step.type = PostfixStep::Type::slice;
        slice_parts(step);
    }
    return start;
}

void ExpressionParser::slice_parts(PostfixStep& step) {
    const auto ends = [this] { return tokens_.is_op("]") || tokens_.is_op(","); };
    if (!tokens_.is_op(":") && !ends()) {
        step.stop = expression();
    }
    if (tokens_.skip_op(":") && !ends()) {
        step.step = expression();
    }
}

bool ExpressionParser::filter_step(std::vector<PostfixStep>& steps) {
    if (tokens_.skip_op("|")) {
        steps.push_back(filter());
    } else if (tokens_.is_name("is")) {
        steps.push_back(test());
    } else if (tokens_.is_op("(")) {
        postfix_step(steps);
    } else {
        return false;
    }
    return true;
}

std::string ExpressionParser::dotted_name() {
    std::string name(tokens_.expect(TokenType::name, "a name").text);
    while (tokens_.skip_op(".")) {
        name += "." + std::string(tokens_.expect(TokenType::name, "a name").text);
    }
    return name;
}

PostfixStep ExpressionParser::filter() {
    PostfixStep step;
    step.type = PostfixStep::Type::filter;
    step.line = tokens_.line();
    step.name = dotted_name();
    step.filter = find_filter(step.name);
    if (tokens_.is_op("(")) {
        step.args = call_args();
    }
    return step;
}

std::vector<PostfixStep> ExpressionParser::filters(bool first_without_bar) {
    std::vector<PostfixStep> steps;
    while (first_without_bar || tokens_.skip_op("|")) {
        first_without_bar = false;
        steps.push_back(filter());
    }
    return steps;
}

PostfixStep ExpressionParser::test() {
    PostfixStep step;
    step.type = PostfixStep::Type::test;
    step.line = tokens_.line();
    tokens_.next();
    step.negated = tokens_.skip_name("not");
    step.name = dotted_name();
    step.test = find_test(step.name);
    if (tokens_.is_op("(")) {
        step.args = call_args();
    } else {
        test_argument(step);
    }
    return step;
}

/// One argument may stand without brackets: "is divisibleby 3".
void ExpressionParser::test_argument(PostfixStep& step) {
    const bool starts_one = tokens_.is(TokenType::name) || tokens_.is(TokenType::string) ||
                            tokens_.is(TokenType::integer) || tokens_.is(TokenType::number) ||
                            tokens_.is_op("[") || tokens_.is_op("{");
    if (!starts_one || tokens_.is_name("else") || tokens_.is_name("or") || tokens_.is_name("and")) {
        return;
    }
    if (tokens_.is_name("is")) {
        tokens_.fail_here("tests cannot be chained with 'is'");
    }
    auto argument = std::make_unique<Postfix>();
    argument->base = primary();
    while (postfix_step(argument->steps)) {
    }
    step.args.positional.push_back(std::move(argument));
}

CallArgs ExpressionParser::call_args() {
    CallArgs args;
    tokens_.expect_op("(");
    for (bool first = true; !tokens_.skip_op(")"); first = false) {
        if (!first) {
            tokens_.expect_op(",");
            if (tokens_.skip_op(")")) {
                break;
            }
        }
        call_arg(args);
    }
    return args;
}

void ExpressionParser::call_arg(CallArgs& args) {
    const auto ensure = [this](bool right) {
        if (!right) {
            tokens_.fail_here("arguments in a wrong order");
        }
    };
    if (tokens_.skip_op("*")) {
        ensure(!args.star && !args.star_star);
        args.star = expression();
    } else if (tokens_.skip_op("**")) {
        ensure(!args.star_star);
        args.star_star = expression();
    } else if (tokens_.is(TokenType::name) && tokens_.ahead().type == TokenType::op &&
               tokens_.ahead().text == "=") {
        ensure(!args.star_star);
        std::string name(tokens_.next().text);
        tokens_.next();
        args.keywords.emplace_back(std::move(name), expression());
    } else {
        ensure(!args.star && !args.star_star && args.keywords.empty());
        args.positional.push_back(expression());
    }
}

} // namespace sotto::jinja
