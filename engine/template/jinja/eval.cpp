// SPDX-License-Identifier: Apache-2.0
// What expressions come to.
#include "engine/template/jinja/access.h"
#include "engine/template/jinja/ast.h"
#include "engine/template/jinja/convert.h"

namespace sotto::jinja {

Value evaluate(const Expr& expr, Render& r, Scope& scope) {
    const Level level(r.meter);
    r.meter.step();
    return expr.eval(r, scope);
}

Value Constant::eval(Render&, Scope&) const {
    return value;
}

Value Name::eval(Render& r, Scope& scope) const {
    return look_up(r, scope, symbol);
}

Value ListExpr::eval(Render& r, Scope& scope) const {
    std::vector<Value> values;
    values.reserve(items.size());
    for (const ExprPtr& item : items) {
        values.push_back(evaluate(*item, r, scope));
    }
    return r.list(std::move(values), flavor);
}

Value DictExpr::eval(Render& r, Scope& scope) const {
    std::vector<DictData::Entry> values;
    values.reserve(entries.size());
    for (const auto& [key, value] : entries) {
        Value k = evaluate(*key, r, scope);
        values.emplace_back(std::move(k), evaluate(*value, r, scope));
    }
    return r.dict(std::move(values));
}

Value UnaryExpr::eval(Render& r, Scope& scope) const {
    const Value value = evaluate(*operand, r, scope);
    r.line = line;
    if (op == Unary::no) {
        return Value::boolean(!truth(value));
    }
    return op == Unary::minus ? negative(value) : negative(negative(value));
}

Value Logic::eval(Render& r, Scope& scope) const {
    for (std::size_t i = 0;; ++i) {
        Value value = evaluate(*items[i], r, scope);
        if (i + 1 == items.size() || truth(value) != is_and) {
            return value;
        }
    }
}

Value Arithmetic::eval(Render& r, Scope& scope) const {
    Value left = evaluate(*first, r, scope);
    for (const auto& [op, expr] : rest) {
        const Value right = evaluate(*expr, r, scope);
        r.line = line;
        left = arithmetic(r, op, left, right);
    }
    return left;
}

Value Compare::eval(Render& r, Scope& scope) const {
    Value left = evaluate(*first, r, scope);
    for (const auto& [op, expr] : rest) {
        Value right = evaluate(*expr, r, scope);
        r.line = line;
        if (!holds(r, op, left, right)) {
            return Value::boolean(false);
        }
        left = std::move(right);
    }
    return Value::boolean(true);
}

Value Concat::eval(Render& r, Scope& scope) const {
    Text text;
    for (const ExprPtr& item : items) {
        append_str(r, text, evaluate(*item, r, scope));
    }
    return r.string(std::move(text));
}

Value Conditional::eval(Render& r, Scope& scope) const {
    if (truth(evaluate(*test, r, scope))) {
        return evaluate(*then, r, scope);
    }
    if (otherwise) {
        return evaluate(*otherwise, r, scope);
    }
    return r.undefined("the inline if-expression on line " + std::to_string(line) +
                       " evaluated to false and has no else");
}

Value Postfix::eval(Render& r, Scope& scope) const {
    Value value = evaluate(*base, r, scope);
    for (const PostfixStep& step : steps) {
        value = apply_step(step, std::move(value), r, scope);
    }
    return value;
}

namespace {

Value optional(const ExprPtr& expr, Render& r, Scope& scope) {
    return expr ? evaluate(*expr, r, scope) : Value();
}

void add_keywords(Args& args, const Value& more) {
    if (!more.is(Kind::dict)) {
        fail("** needs a dict, not a " + std::string(type_name(more)));
    }
    for (const auto& [key, value] : more.as<DictData>().entries) {
        if (!key.is(Kind::string)) {
            fail("** needs a dict whose keys are strings");
        }
        args.keywords.emplace_back(view_of(key), value);
    }
}

Value item_or_slice(const PostfixStep& step, const Value& value, Render& r, Scope& scope) {
    const Value start = optional(step.start, r, scope);
    if (step.type == PostfixStep::Type::item) {
        r.line = step.line;
        return get_item(r, value, start);
    }
    const Value stop = optional(step.stop, r, scope);
    const Value by = optional(step.step, r, scope);
    r.line = step.line;
    return get_slice(r, value, start, stop, by);
}

Value filtered(const PostfixStep& step, const Value& value, Render& r, Scope& scope) {
    const Args args = evaluate_args(step.args, r, scope);
    r.line = step.line;
    if (step.filter == nullptr) {
        fail("no filter named '" + step.name + "'");
    }
    return step.filter(r, value, args);
}

Value tested(const PostfixStep& step, const Value& value, Render& r, Scope& scope) {
    const Args args = evaluate_args(step.args, r, scope);
    r.line = step.line;
    if (step.test == nullptr) {
        fail("no test named '" + step.name + "'");
    }
    return Value::boolean(step.test(r, value, args) != step.negated);
}

} // namespace

Args evaluate_args(const CallArgs& args, Render& r, Scope& scope) {
    Args values;
    values.positional.reserve(args.positional.size());
    for (const ExprPtr& expr : args.positional) {
        values.positional.push_back(evaluate(*expr, r, scope));
    }
    if (args.star) {
        const Items more(r, evaluate(*args.star, r, scope));
        r.meter.step(more.size() / 4);
        values.positional.insert(values.positional.end(), more.begin(), more.end());
    }
    for (const auto& [name, expr] : args.keywords) {
        values.keywords.emplace_back(name, evaluate(*expr, r, scope));
    }
    if (args.star_star) {
        add_keywords(values, evaluate(*args.star_star, r, scope));
    }
    return values;
}

Value apply_step(const PostfixStep& step, Value value, Render& r, Scope& scope) {
    r.meter.step();
    r.line = step.line;
    switch (step.type) {
    case PostfixStep::Type::attribute:
        return get_attribute(r, value, step.name);
    case PostfixStep::Type::item:
    case PostfixStep::Type::slice:
        return item_or_slice(step, value, r, scope);
    case PostfixStep::Type::filter:
        return filtered(step, value, r, scope);
    case PostfixStep::Type::test:
        return tested(step, value, r, scope);
    case PostfixStep::Type::call:
        break;
    }
    const Args args = evaluate_args(step.args, r, scope);
    r.line = step.line;
    return call(r, value, args);
}

} // namespace sotto::jinja
