// SPDX-License-Identifier: Apache-2.0
// What may stand behind `is`.
#include "engine/template/jinja/convert.h"
#include "engine/template/jinja/filters.h"
#include "engine/template/jinja/methods.h"
#include "engine/template/jinja/operators.h"

#include <algorithm>

namespace sotto::jinja {
namespace {

bool callable(const Value& v) {
    switch (v.kind()) {
    case Kind::undefined: // has the method, though it only complains
    case Kind::function:
    case Kind::method:
    case Kind::macro:
    case Kind::loop:
    case Kind::joiner:
        return true;
    default:
        return false;
    }
}

bool sequence(const Value& v) {
    return v.is(Kind::undefined) || v.is(Kind::string) || v.is(Kind::dict) ||
           (v.is(Kind::list) && v.as<ListData>().flavor < Flavor::keys);
}

bool same(const Value& a, const Value& b) {
    return a.kind() == b.kind() && a.object() == b.object() &&
           (a.object() != nullptr ||
            (a.is(Kind::number) ? a.number() == b.number() : a.integer() == b.integer()));
}

bool divides(Render& r, const Value& v, const Value& by) {
    return equal(r, arithmetic(r, Operator::modulo, v, by), Value::integer(0));
}

bool has_case(Render& r, const Value& v, std::string_view method) {
    const Value s = to_string(r, v);
    return truth(find_method(s, method)->run(r, s, {}));
}

/// A test without arguments.
template <bool (*holds)(const Value&)>
bool plain(Render&, const Value& v, const Args& args) {
    const Params params("a test", args, {});
    return holds(v);
}

template <Comparison op>
bool compared(Render& r, const Value& v, const Args& args) {
    const Params params("a comparison", args, {"other"}, 1);
    return holds(r, op, v, params[0]);
}

template <Kind kind>
bool of_kind(const Value& v) {
    return v.is(kind);
}

constexpr TestEntry kTests[] = {
    {"defined", plain<[](const Value& v) { return !v.is(Kind::undefined); }>},
    {"undefined", plain<of_kind<Kind::undefined>>},
    {"none", plain<of_kind<Kind::none>>},
    {"boolean", plain<of_kind<Kind::boolean>>},
    {"true", plain<[](const Value& v) { return v.is(Kind::boolean) && v.boolean(); }>},
    {"false", plain<[](const Value& v) { return v.is(Kind::boolean) && !v.boolean(); }>},
    {"integer", plain<[](const Value& v) { return v.is(Kind::integer) || v.is(Kind::big); }>},
    {"float", plain<of_kind<Kind::number>>},
    {"number", plain<[](const Value& v) { return is_number(v) || v.is(Kind::big); }>},
    {"string", plain<of_kind<Kind::string>>},
    {"mapping", plain<of_kind<Kind::dict>>},
    {"sequence", plain<sequence>},
    {"iterable", plain<iterable>},
    {"callable", plain<callable>},
    {"escaped",
     plain<[](const Value& v) { return v.is(Kind::string) && v.as<StringData>().markup; }>},
    {"odd",
     [](Render& r, const Value& v, const Args&) { return !divides(r, v, Value::integer(2)); }},
    {"even",
     [](Render& r, const Value& v, const Args&) { return divides(r, v, Value::integer(2)); }},
    {"divisibleby",
     [](Render& r, const Value& v, const Args& args) {
         const Params params("divisibleby", args, {"num"}, 1);
         return divides(r, v, params[0]);
     }},
    {"lower", [](Render& r, const Value& v, const Args&) { return has_case(r, v, "islower"); }},
    {"upper", [](Render& r, const Value& v, const Args&) { return has_case(r, v, "isupper"); }},
    {"sameas",
     [](Render&, const Value& v, const Args& args) {
         const Params params("sameas", args, {"other"}, 1);
         return same(v, params[0]);
     }},
    {"in",
     [](Render& r, const Value& v, const Args& args) {
         const Params params("in", args, {"seq"}, 1);
         return contains(r, params[0], v);
     }},
    {"filter",
     [](Render&, const Value& v, const Args&) {
         return v.is(Kind::string) && find_filter(view_of(v)) != nullptr;
     }},
    {"test", [](Render&, const Value& v,
                const Args&) { return v.is(Kind::string) && find_test(view_of(v)) != nullptr; }},
    {"==", compared<Comparison::eq>},
    {"eq", compared<Comparison::eq>},
    {"equalto", compared<Comparison::eq>},
    {"!=", compared<Comparison::ne>},
    {"ne", compared<Comparison::ne>},
    {">", compared<Comparison::gt>},
    {"gt", compared<Comparison::gt>},
    {"greaterthan", compared<Comparison::gt>},
    {">=", compared<Comparison::ge>},
    {"ge", compared<Comparison::ge>},
    {"<", compared<Comparison::lt>},
    {"lt", compared<Comparison::lt>},
    {"lessthan", compared<Comparison::lt>},
    {"<=", compared<Comparison::le>},
    {"le", compared<Comparison::le>},
};

} // namespace

Test find_test(std::string_view name) {
    const auto* at = std::find_if(std::begin(kTests), std::end(kTests),
                                  [name](const TestEntry& test) { return test.name == name; });
    return at == std::end(kTests) ? nullptr : at->run;
}

} // namespace sotto::jinja
