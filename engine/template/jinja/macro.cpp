// SPDX-License-Identifier: Apache-2.0
// Macros, call blocks, and calling whatever can be called.
#include "engine/template/jinja/ast.h"
#include "engine/template/jinja/convert.h"

#include <algorithm>

namespace sotto::jinja {
namespace {

const Value* keyword(const Args& args, std::string_view name) {
    const auto at = std::find_if(args.keywords.begin(), args.keywords.end(),
                                 [name](const auto& k) { return k.first == name; });
    return at == args.keywords.end() ? nullptr : &at->second;
}

/// Binds the arguments of one call to a macro's parameters.
class Binding {
  public:
    Binding(Render& r, const MacroCode& code, const Args& args, Scope& scope)
        : r_(r), code_(code), args_(args), scope_(scope) {}

    void run() {
        for (std::size_t i = 0; i < code_.parameters.size(); ++i) {
            bind(i);
        }
        extra_positional();
        extra_keywords();
        if (code_.uses_caller) {
            const Value* caller = keyword(args_, "caller");
            scope_.set(code_.caller,
                       caller != nullptr ? *caller : r_.undefined("No caller defined"));
        }
    }

  private:
    void bind(std::size_t i) {
        const auto& [symbol, otherwise] = code_.parameters[i];
        const std::string& name = r_.source.symbols[symbol];
        const Value* value = i < args_.positional.size() ? &args_.positional[i] : nullptr;
        if (value == nullptr) {
            value = keyword(args_, name);
        }
        if (value != nullptr) {
            scope_.set(symbol, *value);
        } else if (otherwise) {
            scope_.set(symbol, evaluate(*otherwise, r_, scope_));
        } else {
            scope_.set(symbol, r_.undefined("parameter '" + name + "' was not provided"));
        }
    }

    void extra_positional() {
        const std::size_t n = code_.parameters.size();
        if (code_.uses_varargs) {
            std::vector<Value> rest;
            for (std::size_t i = n; i < args_.positional.size(); ++i) {
                rest.push_back(args_.positional[i]);
            }
            scope_.set(code_.varargs, r_.tuple(std::move(rest)));
        } else if (args_.positional.size() > n) {
            fail("macro '" + code_.name + "' takes not more than " + std::to_string(n) +
                 " argument(s)");
        }
    }

    [[nodiscard]] bool is_parameter(const std::string& name) const {
        return std::any_of(code_.parameters.begin() +
                               static_cast<std::ptrdiff_t>(
                                   std::min(args_.positional.size(), code_.parameters.size())),
                           code_.parameters.end(),
                           [&](const auto& p) { return r_.source.symbols[p.first] == name; });
    }

    void extra_keywords() {
        std::vector<DictData::Entry> rest;
        for (const auto& [name, value] : args_.keywords) {
            if (is_parameter(name) || (code_.uses_caller && name == "caller")) {
                continue;
            }
            if (!code_.uses_kwargs) {
                fail("macro '" + code_.name + "' takes no keyword argument '" + name + "'");
            }
            rest.emplace_back(Value::trusted(name), value);
        }
        if (code_.uses_kwargs) {
            scope_.set(code_.kwargs, r_.dict(std::move(rest)));
        }
    }

    Render& r_;
    const MacroCode& code_;
    const Args& args_;
    Scope& scope_;
};

} // namespace

Value make_macro(const MacroCode& code, Render& r, Scope& scope) {
    capture(r, &scope);
    return {Kind::macro, std::make_shared<MacroData>(code, scope)};
}

Value call_macro(Render& r, const MacroData& macro, const Args& args) {
    r.meter.step(4 + args.keywords.size() * macro.code.parameters.size() / 8);
    Frame frame(r, &macro.scope, *macro.code.hidden);
    Binding(r, macro.code, args, frame.scope()).run();
    Capture capture(r);
    static_cast<void>(exec_body(macro.code.body, r, frame.scope()));
    return capture.value();
}

Flow MacroDef::exec(Render& r, Scope& scope) const {
    r.meter.step(scope.slots.size() / 16);
    scope.set(symbol, make_macro(code, r, scope));
    return Flow::on;
}

Flow CallBlock::exec(Render& r, Scope& scope) const {
    const Value caller = make_macro(code, r, scope);
    Value callee = evaluate(*call->base, r, scope);
    for (std::size_t i = 0; i + 1 < call->steps.size(); ++i) {
        callee = apply_step(call->steps[i], std::move(callee), r, scope);
    }
    Args args = evaluate_args(call->steps.back().args, r, scope);
    args.keywords.emplace_back("caller", caller);
    r.line = line;
    const Str text(r, jinja::call(r, callee, args));
    r.write(text.text());
    return Flow::on;
}

Value call(Render& r, const Value& callee, const Args& args) {
    refuse_undefined(callee);
    const Level level(r.meter);
    switch (callee.kind()) {
    case Kind::function:
        return callee.as<FunctionData>().run(r, args);
    case Kind::method: {
        const auto& method = callee.as<MethodData>();
        return method.entry.run(r, method.self, args);
    }
    case Kind::macro:
        return call_macro(r, callee.as<MacroData>(), args);
    case Kind::loop:
        return call_loop(r, callee.as<LoopData>(), args);
    case Kind::joiner: {
        auto& joiner = callee.as<JoinerData>();
        return std::exchange(joiner.used, true) ? joiner.separator : r.trusted("");
    }
    default:
        fail("a " + std::string(type_name(callee)) + " cannot be called");
    }
}

} // namespace sotto::jinja
