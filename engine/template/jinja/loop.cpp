// SPDX-License-Identifier: Apache-2.0
// {% for %} and what `loop` knows in it.
#include "engine/template/jinja/access.h"
#include "engine/template/jinja/ast.h"
#include "engine/template/jinja/convert.h"

#include <algorithm>

namespace sotto::jinja {
namespace {

/// Ends its loop's data with the loop: a namespace may still hold it.
class LoopGuard {
  public:
    LoopGuard(Render& r, const For& code, Scope& outer, int depth0)
        : data_(std::make_shared<LoopData>()) {
        r.meter.step(4);
        data_->code = &code;
        data_->outer = &outer;
        data_->depth0 = depth0;
    }
    ~LoopGuard() {
        data_->ended = true;
        data_->items = {};
        data_->changed.clear();
    }
    LoopGuard(const LoopGuard&) = delete;
    LoopGuard& operator=(const LoopGuard&) = delete;
    LoopData& operator*() { return *data_; }
    [[nodiscard]] Value value() const { return {Kind::loop, data_}; }

  private:
    std::shared_ptr<LoopData> data_;
};

std::vector<Value> selected(const For& code, const Items& items, Render& r, Scope& outer) {
    static const Hidden kNone;
    Frame frame(r, &outer, kNone);
    std::vector<Value> kept;
    for (const Value& item : items) {
        frame.reset();
        assign(code.target, item, r, frame.scope());
        if (truth(evaluate(*code.test, r, frame.scope()))) {
            kept.push_back(item);
        }
    }
    return kept;
}

Value cycle(Render&, const Value& self, const Args& args) {
    if (args.positional.empty() || !args.keywords.empty()) {
        fail("loop.cycle needs values to choose from");
    }
    return args.positional[self.as<LoopData>().index0 % args.positional.size()];
}

Value changed(Render& r, const Value& self, const Args& args) {
    auto& loop = self.as<LoopData>();
    if (loop.ended) {
        fail("loop.changed is asked after the loop's end"); // it could come to hold itself
    }
    const bool same = loop.was_asked && loop.changed.size() == args.positional.size() &&
                      std::equal(loop.changed.begin(), loop.changed.end(), args.positional.begin(),
                                 [&r](const Value& a, const Value& b) { return equal(r, a, b); });
    if (!same) {
        loop.changed = args.positional;
        loop.was_asked = true;
    }
    return Value::boolean(!same);
}

} // namespace

Value loop_attribute(Render& r, const Value& value, std::string_view name) {
    static const MethodEntry kMethods[] = {{"cycle", cycle}, {"changed", changed}};
    for (const MethodEntry& method : kMethods) {
        if (name == method.name) {
            return {Kind::method, std::make_shared<MethodData>(value, method)};
        }
    }
    const auto& loop = value.as<LoopData>();
    const auto i = static_cast<std::int64_t>(loop.index0);
    const auto n = static_cast<std::int64_t>(loop.items.size());
    const std::pair<std::string_view, std::int64_t> numbers[] = {
        {"index0", i}, {"index", i + 1},        {"revindex0", n - i - 1},  {"revindex", n - i},
        {"length", n}, {"depth0", loop.depth0}, {"depth", loop.depth0 + 1}};
    for (const auto& [key, number] : numbers) {
        if (name == key) {
            return Value::integer(number);
        }
    }
    if (name == "first" || name == "last") {
        return Value::boolean(name == "first" ? i == 0 : i + 1 >= n);
    }
    if (name == "previtem") {
        return i == 0 || loop.ended ? r.undefined("there is no previous item")
                                    : loop.items[loop.index0 - 1];
    }
    if (name == "nextitem") {
        return i + 1 >= n ? r.undefined("there is no next item") : loop.items[loop.index0 + 1];
    }
    return {Kind::undefined, nullptr};
}

void For::run(Render& r, Scope& outer, const Value& iterated_value, int depth0) const {
    const Items all(r, iterated_value);
    const Value filtered = test ? r.list(selected(*this, all, r, outer)) : Value();
    const auto items = test ? std::span<const Value>(items_in(filtered)) : all.view();

    LoopGuard guard(r, *this, outer, depth0);
    (*guard).items = items;
    Frame frame(r, &outer, *hidden);
    for (std::size_t i = 0; i < items.size(); ++i) {
        r.meter.step();
        frame.reset();
        (*guard).index0 = i;
        frame.scope().set(loop, guard.value());
        assign(target, items[i], r, frame.scope());
        if (exec_body(body, r, frame.scope()) == Flow::break_loop) {
            break;
        }
    }
    if (items.empty() && !otherwise.empty()) {
        Frame frame_otherwise(r, &outer, *hidden_otherwise);
        // A jump here belongs to the loop around, which jinja2 cannot do either.
        static_cast<void>(exec_body(otherwise, r, frame_otherwise.scope()));
    }
}

Flow For::exec(Render& r, Scope& scope) const {
    const Value value = evaluate(*iterated, r, scope);
    r.line = line;
    run(r, scope, value, 0);
    return Flow::on;
}

Value call_loop(Render& r, LoopData& loop, const Args& args) {
    if (!loop.code->recursive || loop.ended) {
        fail("only a recursive loop can be called, in its own body");
    }
    const Params params("loop", args, {"iterable"}, 1);
    const Level level(r.meter);
    Capture capture(r);
    loop.code->run(r, *loop.outer, params[0], loop.depth0 + 1);
    return capture.value();
}

} // namespace sotto::jinja
