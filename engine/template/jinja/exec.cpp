// SPDX-License-Identifier: Apache-2.0
// What statements do.
#include "engine/template/jinja/ast.h"
#include "engine/template/jinja/convert.h"

namespace sotto::jinja {
namespace {

void assign_tuple(const Target& target, const Value& value, Render& r, Scope& scope) {
    const Items items(r, value);
    if (items.size() != target.items.size()) {
        fail("cannot unpack " + std::to_string(items.size()) + " values into " +
             std::to_string(target.items.size()) + " names");
    }
    for (std::size_t i = 0; i < items.size(); ++i) {
        assign(target.items[i], items[i], r, scope);
    }
}

void assign_attribute(const Target& target, Value value, Render& r, Scope& scope) {
    const Value space = look_up(r, scope, target.symbol);
    if (!space.is(Kind::name_space)) {
        fail("cannot assign an attribute of something that is no namespace");
    }
    if (target.attribute.starts_with("_")) {
        fail("a namespace stores no names that begin with an underscore: '" + target.attribute +
             "'");
    }
    auto& data = space.as<NamespaceData>();
    r.meter.step(data.entries.size() / 8);
    if (Value* there = data.find(target.attribute)) {
        *there = std::move(value);
    } else {
        r.meter.take(sizeof(Value) + sizeof(std::string) + target.attribute.size());
        data.entries.emplace_back(target.attribute, std::move(value));
    }
}

Value through_filters(const std::vector<PostfixStep>& filters, Value value, Render& r,
                      Scope& scope) {
    for (const PostfixStep& filter : filters) {
        value = apply_step(filter, std::move(value), r, scope);
    }
    return value;
}

} // namespace

void assign(const Target& target, Value value, Render& r, Scope& scope) {
    r.meter.step(1 + scope.slots.size() / 16);
    switch (target.type) {
    case Target::Type::name:
        scope.set(target.symbol, std::move(value));
        break;
    case Target::Type::attribute:
        assign_attribute(target, std::move(value), r, scope);
        break;
    case Target::Type::tuple:
        assign_tuple(target, value, r, scope);
        break;
    }
}

Flow exec_body(const Body& body, Render& r, Scope& scope) {
    const Level level(r.meter);
    for (const auto& statement : body) {
        r.meter.step();
        r.line = statement->line;
        if (const Flow flow = statement->exec(r, scope); flow != Flow::on) {
            return flow;
        }
    }
    return Flow::on;
}

Flow Data::exec(Render& r, Scope&) const {
    r.write(text, Origin::trusted);
    return Flow::on;
}

Flow Print::exec(Render& r, Scope& scope) const {
    const Str text(r, evaluate(*expr, r, scope));
    r.write(text.text());
    return Flow::on;
}

Flow If::exec(Render& r, Scope& scope) const {
    for (const auto& [test, body] : branches) {
        if (truth(evaluate(*test, r, scope))) {
            return exec_body(body, r, scope);
        }
    }
    return exec_body(otherwise, r, scope);
}

Flow Set::exec(Render& r, Scope& scope) const {
    Value value = evaluate(*expr, r, scope);
    r.line = line;
    assign(target, std::move(value), r, scope);
    return Flow::on;
}

Flow SetBlock::exec(Render& r, Scope& scope) const {
    Frame frame(r, &scope, *hidden);
    Value value;
    {
        Capture capture(r);
        if (const Flow flow = exec_body(body, r, frame.scope()); flow != Flow::on) {
            return flow;
        }
        value = capture.value();
    }
    r.line = line;
    assign(target, through_filters(filters, std::move(value), r, frame.scope()), r, scope);
    return Flow::on;
}

Flow FilterBlock::exec(Render& r, Scope& scope) const {
    Frame frame(r, &scope, *hidden);
    Value value;
    {
        Capture capture(r);
        if (const Flow flow = exec_body(body, r, frame.scope()); flow != Flow::on) {
            return flow;
        }
        value = capture.value();
    }
    const Str text(r, through_filters(filters, std::move(value), r, frame.scope()));
    r.write(text.text());
    return Flow::on;
}

Flow With::exec(Render& r, Scope& scope) const {
    Frame frame(r, &scope, *hidden);
    for (const auto& [target, expr] : assignments) {
        assign(target, evaluate(*expr, r, scope), r, frame.scope());
    }
    return exec_body(body, r, frame.scope());
}

Flow Generation::exec(Render& r, Scope& scope) const {
    Frame frame(r, &scope, *hidden);
    return exec_body(body, r, frame.scope());
}

Flow Jump::exec(Render&, Scope&) const {
    return flow;
}

} // namespace sotto::jinja
