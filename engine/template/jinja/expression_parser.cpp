// SPDX-License-Identifier: Apache-2.0
#include "engine/template/jinja/expression_parser.h"

namespace sotto::jinja {
namespace {

ExprPtr constant(Value value) {
    auto expr = std::make_unique<Constant>();
    expr->value = std::move(value);
    return expr;
}

} // namespace

ExprPtr ExpressionParser::expression(bool with_condition) {
    const SourceLevel level(tokens_);
    ExprPtr then = logic(false);
    if (!with_condition || !tokens_.is_name("if")) {
        return then;
    }
    auto expr = std::make_unique<Conditional>();
    expr->line = tokens_.line();
    tokens_.next();
    expr->then = std::move(then);
    expr->test = logic(false);
    if (tokens_.skip_name("else")) {
        expr->otherwise = expression();
    } else if (tokens_.is_name("if")) {
        tokens_.fail_here("an inline if without else behind another one"); // jinja2 nests them
    }
    return expr;
}

ExprPtr ExpressionParser::logic(bool is_and) {
    const auto part = [&] { return is_and ? negation() : logic(true); };
    ExprPtr first = part();
    const std::string_view word = is_and ? "and" : "or";
    if (!tokens_.is_name(word)) {
        return first;
    }
    auto expr = std::make_unique<Logic>();
    expr->is_and = is_and;
    expr->items.push_back(std::move(first));
    while (tokens_.skip_name(word)) {
        expr->items.push_back(part());
    }
    return expr;
}

ExprPtr ExpressionParser::negation() {
    if (!tokens_.is_name("not")) {
        return comparison();
    }
    const SourceLevel level(tokens_);
    auto expr = std::make_unique<UnaryExpr>();
    expr->line = tokens_.line();
    tokens_.next();
    expr->operand = negation();
    return expr;
}

bool ExpressionParser::comparison_operator(Comparison& op) {
    static constexpr std::pair<std::string_view, Comparison> kOps[] = {
        {"==", Comparison::eq}, {"!=", Comparison::ne}, {"<", Comparison::lt},
        {"<=", Comparison::le}, {">", Comparison::gt},  {">=", Comparison::ge}};
    for (const auto& [text, comparison] : kOps) {
        if (tokens_.skip_op(text)) {
            op = comparison;
            return true;
        }
    }
    if (tokens_.skip_name("in")) {
        op = Comparison::in;
        return true;
    }
    if (tokens_.is_name("not") && tokens_.ahead().type == TokenType::name &&
        tokens_.ahead().text == "in") {
        tokens_.next();
        tokens_.next();
        op = Comparison::not_in;
        return true;
    }
    return false;
}

ExprPtr ExpressionParser::comparison() {
    const int line = tokens_.line();
    ExprPtr first = sum();
    Comparison op = Comparison::eq;
    if (!comparison_operator(op)) {
        return first;
    }
    auto expr = std::make_unique<Compare>();
    expr->line = line;
    expr->first = std::move(first);
    do {
        expr->rest.emplace_back(op, sum());
    } while (comparison_operator(op));
    return expr;
}

ExprPtr
ExpressionParser::chain(ExprPtr (ExpressionParser::*part)(),
                        std::initializer_list<std::pair<std::string_view, Operator>> operators) {
    const int line = tokens_.line();
    ExprPtr first = (this->*part)();
    std::unique_ptr<Arithmetic> expr;
    for (bool more = true; more;) {
        more = false;
        for (const auto& [text, op] : operators) {
            if (!tokens_.skip_op(text)) {
                continue;
            }
            if (!expr) {
                expr = std::make_unique<Arithmetic>();
                expr->line = line;
                expr->first = std::move(first);
            }
            expr->rest.emplace_back(op, (this->*part)());
            more = true;
            break;
        }
    }
    return expr ? ExprPtr(std::move(expr)) : std::move(first);
}

ExprPtr ExpressionParser::sum() {
    return chain(&ExpressionParser::concat, {{"+", Operator::add}, {"-", Operator::subtract}});
}

ExprPtr ExpressionParser::concat() {
    ExprPtr first = product();
    if (!tokens_.is_op("~")) {
        return first;
    }
    auto expr = std::make_unique<Concat>();
    expr->items.push_back(std::move(first));
    while (tokens_.skip_op("~")) {
        expr->items.push_back(product());
    }
    return expr;
}

ExprPtr ExpressionParser::product() {
    return chain(&ExpressionParser::power, {{"*", Operator::multiply},
                                            {"/", Operator::divide},
                                            {"//", Operator::floor_divide},
                                            {"%", Operator::modulo}});
}

ExprPtr ExpressionParser::power() {
    const int line = tokens_.line();
    ExprPtr first = unary(true);
    if (!tokens_.is_op("**")) {
        return first;
    }
    auto expr = std::make_unique<Arithmetic>();
    expr->line = line;
    expr->first = std::move(first);
    while (tokens_.skip_op("**")) {
        expr->rest.emplace_back(Operator::power, unary(true));
    }
    return expr;
}

ExprPtr ExpressionParser::unary(bool with_filters) {
    ExprPtr base;
    if (tokens_.is_op("-") || tokens_.is_op("+")) {
        const SourceLevel level(tokens_);
        auto expr = std::make_unique<UnaryExpr>();
        expr->line = tokens_.line();
        expr->op = tokens_.next().text == "-" ? Unary::minus : Unary::plus;
        expr->operand = unary(false);
        base = std::move(expr);
    } else {
        base = primary();
    }
    std::vector<PostfixStep> steps;
    while (postfix_step(steps)) {
    }
    while (with_filters && filter_step(steps)) {
    }
    if (steps.empty()) {
        return base;
    }
    auto expr = std::make_unique<Postfix>();
    expr->base = std::move(base);
    expr->steps = std::move(steps);
    return expr;
}

ExprPtr ExpressionParser::primary() {
    const Token& token = tokens_.current();
    if (token.type == TokenType::name) {
        tokens_.next();
        if (token.text == "true" || token.text == "True") {
            return constant(Value::boolean(true));
        }
        if (token.text == "false" || token.text == "False") {
            return constant(Value::boolean(false));
        }
        if (token.text == "none" || token.text == "None") {
            return constant({});
        }
        auto expr = std::make_unique<Name>();
        expr->symbol = names_.intern(token.text);
        names_.read(expr->symbol);
        return expr;
    }
    return literal();
}

ExprPtr ExpressionParser::literal() {
    if (tokens_.is(TokenType::string)) {
        std::string text;
        while (tokens_.is(TokenType::string)) {
            text += unescaped(tokens_.next());
        }
        return constant(Value::trusted(std::move(text)));
    }
    if (tokens_.is(TokenType::integer) || tokens_.is(TokenType::number)) {
        return constant(number_value(tokens_.next()));
    }
    if (tokens_.skip_op("(")) {
        ExprPtr expr = tuple(true, {}, true);
        tokens_.expect_op(")");
        return expr;
    }
    if (tokens_.skip_op("[")) {
        return list();
    }
    if (tokens_.skip_op("{")) {
        return dict();
    }
    tokens_.unexpected("an expression");
}

bool ExpressionParser::at_tuple_end(std::string_view stop) const {
    return tokens_.is(TokenType::variable_end) || tokens_.is(TokenType::block_end) ||
           tokens_.is_op(")") || (!stop.empty() && tokens_.is_name(stop));
}

ExprPtr ExpressionParser::tuple(bool with_condition, std::string_view stop, bool bracketed) {
    std::vector<ExprPtr> items;
    bool is_tuple = false;
    while (!at_tuple_end(stop)) {
        items.push_back(expression(with_condition));
        if (!tokens_.skip_op(",")) {
            break;
        }
        is_tuple = true;
    }
    if (!is_tuple && !items.empty()) {
        return std::move(items.front());
    }
    if (items.empty() && !bracketed) {
        tokens_.unexpected("an expression");
    }
    auto expr = std::make_unique<ListExpr>();
    expr->flavor = Flavor::tuple;
    expr->items = std::move(items);
    return expr;
}

ExprPtr ExpressionParser::list() {
    auto expr = std::make_unique<ListExpr>();
    while (!tokens_.skip_op("]")) {
        if (!expr->items.empty()) {
            tokens_.expect_op(",");
            if (tokens_.skip_op("]")) {
                break;
            }
        }
        expr->items.push_back(expression());
    }
    return expr;
}

ExprPtr ExpressionParser::dict() {
    auto expr = std::make_unique<DictExpr>();
    while (!tokens_.skip_op("}")) {
        if (!expr->entries.empty()) {
            tokens_.expect_op(",");
            if (tokens_.skip_op("}")) {
                break;
            }
        }
        ExprPtr key = expression();
        tokens_.expect_op(":");
        expr->entries.emplace_back(std::move(key), expression());
    }
    return expr;
}

Target ExpressionParser::target_part(bool with_attribute) {
    const SourceLevel level(tokens_);
    if (tokens_.skip_op("(")) {
        Target target = this->target(with_attribute);
        tokens_.expect_op(")");
        return target;
    }
    const Token& token = tokens_.expect(TokenType::name, "a name to assign to");
    static constexpr std::string_view kFixed[] = {"true", "True", "false", "False", "none", "None"};
    for (const std::string_view word : kFixed) {
        if (token.text == word) {
            tokens_.fail_here("cannot assign to " + std::string(word));
        }
    }
    Target target;
    target.symbol = names_.intern(token.text);
    if (with_attribute && tokens_.skip_op(".")) {
        target.type = Target::Type::attribute;
        target.attribute = tokens_.expect(TokenType::name, "an attribute's name").text;
    }
    return target;
}

Target ExpressionParser::target(bool with_attribute, std::string_view stop) {
    Target target = target_part(with_attribute);
    if (!tokens_.is_op(",")) {
        return target;
    }
    Target tuple;
    tuple.type = Target::Type::tuple;
    tuple.items.push_back(std::move(target));
    while (tokens_.skip_op(",") && !at_tuple_end(stop) && !tokens_.is_op("=")) {
        tuple.items.push_back(target_part(with_attribute));
    }
    return tuple;
}

} // namespace sotto::jinja
