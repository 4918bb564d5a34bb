// SPDX-License-Identifier: Apache-2.0
#include "engine/template/jinja/scope.h"

#include "engine/template/jinja/ast.h"

#include <algorithm>

namespace sotto::jinja {

void Scope::set(Symbol symbol, Value value) {
    for (auto& [name, slot] : slots) {
        if (name == symbol) {
            slot = std::move(value);
            return;
        }
    }
    slots.emplace_back(symbol, std::move(value));
}

const Value* Scope::find(Symbol symbol) const {
    const auto at = std::find_if(slots.begin(), slots.end(),
                                 [symbol](const auto& slot) { return slot.first == symbol; });
    return at == slots.end() ? nullptr : &at->second;
}

Frame::Frame(Render& r, Scope* parent, const std::vector<Symbol>& hidden)
    : render_(r), parent_(parent), hidden_(hidden), scope_(std::make_unique<Scope>(parent)) {
    hide();
}

Frame::~Frame() {
    if (scope_->captured) {
        render_.kept.push_back(std::move(scope_));
    }
}

void Frame::reset() {
    if (scope_->captured) {
        render_.kept.push_back(std::move(scope_));
        scope_ = std::make_unique<Scope>(parent_);
    }
    scope_->slots.clear();
    hide();
}

void Frame::hide() {
    render_.meter.step(hidden_.size() / 8);
    for (const Symbol symbol : hidden_) {
        scope_->slots.emplace_back(symbol, Value(Kind::undefined, nullptr));
    }
}

Value look_up(Render& r, const Scope& scope, Symbol symbol) {
    const Value* found = nullptr;
    for (const Scope* s = &scope; s != nullptr && found == nullptr; s = s->parent) {
        r.meter.step(s->slots.size() / 16);
        found = s->find(symbol);
    }
    if (found == nullptr) {
        found = &r.globals[symbol];
    }
    if (found->is(Kind::undefined) && found->object() == nullptr) {
        return r.undefined("'" + r.source.symbols[symbol] + "' is undefined");
    }
    return *found;
}

void capture(Render& r, Scope* scope) {
    // Frames put their scopes there as they end, when nothing may throw.
    const auto n_frames = static_cast<std::size_t>(r.options.limits.max_depth) + 1;
    if (r.kept.capacity() - r.kept.size() < n_frames) {
        r.kept.reserve(2 * r.kept.capacity() + n_frames);
    }
    for (; scope != nullptr && !scope->captured; scope = scope->parent) {
        r.meter.take(sizeof(Scope) + scope->slots.size() * sizeof(Value));
        scope->captured = true;
    }
}

} // namespace sotto::jinja
