// SPDX-License-Identifier: Apache-2.0
// The parsed template. Chains (a + b + c, x.y.z | f | g, elif) are lists, so that the depth of the
// tree is the depth of brackets and blocks in the source, which the parser bounds.
#pragma once

#include "engine/template/jinja/operators.h"
#include "engine/template/jinja/scope.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sotto::jinja {

struct Expr {
    Expr() = default;
    Expr(const Expr&) = delete;
    Expr& operator=(const Expr&) = delete;
    virtual ~Expr() = default;
    [[nodiscard]] virtual Value eval(Render& r, Scope& scope) const = 0;
};
using ExprPtr = std::unique_ptr<Expr>;

/// eval() one level deeper.
Value evaluate(const Expr& expr, Render& r, Scope& scope);

struct Constant final : Expr {
    Value value;
    [[nodiscard]] Value eval(Render& r, Scope& scope) const override;
};

struct Name final : Expr {
    Symbol symbol = 0;
    [[nodiscard]] Value eval(Render& r, Scope& scope) const override;
};

struct ListExpr final : Expr { // [a, b], (a, b)
    std::vector<ExprPtr> items;
    Flavor flavor = Flavor::list;
    [[nodiscard]] Value eval(Render& r, Scope& scope) const override;
};

struct DictExpr final : Expr {
    std::vector<std::pair<ExprPtr, ExprPtr>> entries;
    [[nodiscard]] Value eval(Render& r, Scope& scope) const override;
};

enum class Unary : std::uint8_t { no, minus, plus };
struct UnaryExpr final : Expr {
    ExprPtr operand;
    Unary op = Unary::no;
    int line = 1;
    [[nodiscard]] Value eval(Render& r, Scope& scope) const override;
};

struct Logic final : Expr { // a and b and c; a or b or c
    std::vector<ExprPtr> items;
    bool is_and = false;
    [[nodiscard]] Value eval(Render& r, Scope& scope) const override;
};

struct Arithmetic final : Expr { // from left to right
    ExprPtr first;
    std::vector<std::pair<Operator, ExprPtr>> rest;
    int line = 1;
    [[nodiscard]] Value eval(Render& r, Scope& scope) const override;
};

struct Compare final : Expr { // a < b < c
    ExprPtr first;
    std::vector<std::pair<Comparison, ExprPtr>> rest;
    int line = 1;
    [[nodiscard]] Value eval(Render& r, Scope& scope) const override;
};

struct Concat final : Expr { // a ~ b ~ c
    std::vector<ExprPtr> items;
    [[nodiscard]] Value eval(Render& r, Scope& scope) const override;
};

struct Conditional final : Expr {
    ExprPtr test, then, otherwise; // otherwise may be null
    int line = 1;
    [[nodiscard]] Value eval(Render& r, Scope& scope) const override;
};

struct CallArgs {
    std::vector<ExprPtr> positional;
    std::vector<std::pair<std::string, ExprPtr>> keywords;
    ExprPtr star, star_star; // f(*star, **star_star)
};

/// What is done to the value before it.
struct PostfixStep {
    enum class Type : std::uint8_t { attribute, item, slice, call, filter, test };
    Type type = Type::attribute;
    bool negated = false; // of a test
    int line = 1;
    std::string name;          // attribute, filter, test
    ExprPtr start, stop, step; // slice; `start` alone: item
    CallArgs args;             // call, filter, test
    Filter filter = nullptr;
    Test test = nullptr;
};
struct Postfix final : Expr {
    ExprPtr base;
    std::vector<PostfixStep> steps;
    [[nodiscard]] Value eval(Render& r, Scope& scope) const override;
};

Args evaluate_args(const CallArgs& args, Render& r, Scope& scope);
Value apply_step(const PostfixStep& step, Value value, Render& r, Scope& scope);

// ---- statements ------------------------------------------------------------------------------

enum class Flow : std::uint8_t { on, break_loop, continue_loop };

struct Stmt {
    Stmt() = default;
    Stmt(const Stmt&) = delete;
    Stmt& operator=(const Stmt&) = delete;
    virtual ~Stmt() = default;
    [[nodiscard]] virtual Flow exec(Render& r, Scope& scope) const = 0;
    int line = 1;
};
using Body = std::vector<std::unique_ptr<Stmt>>;
Flow exec_body(const Body& body, Render& r, Scope& scope);

/// Where a frame's names come from; see Frame.
using Hidden = std::vector<Symbol>;

/// What may be assigned to: a name, an attribute of a namespace, a tuple of these.
struct Target {
    enum class Type : std::uint8_t { name, attribute, tuple };
    Type type = Type::name;
    Symbol symbol = 0;
    std::string attribute;
    std::vector<Target> items;
};
void assign(const Target& target, Value value, Render& r, Scope& scope);

struct Data final : Stmt {
    std::string_view text; // of the source
    [[nodiscard]] Flow exec(Render& r, Scope& scope) const override;
};

struct Print final : Stmt {
    ExprPtr expr;
    [[nodiscard]] Flow exec(Render& r, Scope& scope) const override;
};

struct If final : Stmt {
    std::vector<std::pair<ExprPtr, Body>> branches;
    Body otherwise;
    [[nodiscard]] Flow exec(Render& r, Scope& scope) const override;
};

struct For final : Stmt {
    Target target;
    ExprPtr iterated, test; // test may be null
    Body body, otherwise;
    bool recursive = false;
    Symbol loop = 0;
    const Hidden *hidden = nullptr, *hidden_otherwise = nullptr;
    [[nodiscard]] Flow exec(Render& r, Scope& scope) const override;
    void run(Render& r, Scope& outer, const Value& iterated_value, int depth0) const;
};

struct Set final : Stmt {
    Target target;
    ExprPtr expr;
    [[nodiscard]] Flow exec(Render& r, Scope& scope) const override;
};

struct SetBlock final : Stmt {
    Target target;
    std::vector<PostfixStep> filters;
    Body body;
    const Hidden* hidden = nullptr;
    [[nodiscard]] Flow exec(Render& r, Scope& scope) const override;
};

struct FilterBlock final : Stmt {
    std::vector<PostfixStep> filters;
    Body body;
    const Hidden* hidden = nullptr;
    [[nodiscard]] Flow exec(Render& r, Scope& scope) const override;
};

/// Of a macro and of a call block.
struct MacroCode {
    std::string name;
    std::vector<std::pair<Symbol, ExprPtr>> parameters; // with default or null
    bool uses_caller = false, uses_kwargs = false, uses_varargs = false;
    Symbol caller = 0, kwargs = 0, varargs = 0;
    Body body;
    const Hidden* hidden = nullptr;
};

struct MacroData final : Object {
    MacroData(const MacroCode& c, Scope& s) : code(c), scope(s) {}
    const MacroCode& code;
    Scope& scope; // in which it was made
};
Value make_macro(const MacroCode& code, Render& r, Scope& scope);

struct MacroDef final : Stmt {
    Symbol symbol = 0;
    MacroCode code;
    [[nodiscard]] Flow exec(Render& r, Scope& scope) const override;
};

struct CallBlock final : Stmt {
    MacroCode code; // the caller
    std::unique_ptr<Postfix> call;
    [[nodiscard]] Flow exec(Render& r, Scope& scope) const override;
};

struct With final : Stmt {
    std::vector<std::pair<Target, ExprPtr>> assignments;
    Body body;
    const Hidden* hidden = nullptr;
    [[nodiscard]] Flow exec(Render& r, Scope& scope) const override;
};

struct Generation final : Stmt {
    Body body;
    const Hidden* hidden = nullptr;
    [[nodiscard]] Flow exec(Render& r, Scope& scope) const override;
};

struct Jump final : Stmt { // break, continue
    Flow flow = Flow::on;
    [[nodiscard]] Flow exec(Render& r, Scope& scope) const override;
};

/// `loop` in the body of a for.
struct LoopData final : Object {
    const For* code = nullptr;
    Scope* outer = nullptr; // of the loop, for loop(...)
    std::span<const Value> items;
    std::size_t index0 = 0;
    int depth0 = 0;
    std::vector<Value> changed; // what loop.changed() was asked last
    bool was_asked = false;
    bool ended = false;
};
Value call_macro(Render& r, const MacroData& macro, const Args& args);
Value call_loop(Render& r, LoopData& loop, const Args& args);

struct Source {
    std::string text; // line ends normalized
    std::vector<std::string> symbols;
    std::vector<std::unique_ptr<Hidden>> hidden; // of all frames
    const Hidden* hidden_top = nullptr;
    Body body;
};

} // namespace sotto::jinja
