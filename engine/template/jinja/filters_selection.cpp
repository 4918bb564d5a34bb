// SPDX-License-Identifier: Apache-2.0
// map, select, reject and their kin, and where all filters are looked up.
#include "engine/template/jinja/access.h"
#include "engine/template/jinja/convert.h"
#include "engine/template/jinja/filters.h"

#include <algorithm>

namespace sotto::jinja {
namespace {

Args without_first(const Args& args, std::size_t n) {
    Args rest = args;
    rest.positional.erase(rest.positional.begin(),
                          rest.positional.begin() +
                              static_cast<std::ptrdiff_t>(std::min(n, rest.positional.size())));
    return rest;
}

Value map(Render& r, const Value& v, const Args& args) {
    std::vector<Value> mapped;
    if (!truth(v)) {
        return r.iterator({}); // also of None
    }
    if (args.positional.empty()) {
        const Params params("map", args, {"attribute", "default"}, 1);
        for (const Value& item : Items(r, v)) {
            const Value otherwise = params.get(1);
            mapped.push_back(follow_path(r, item, params[0], &otherwise));
        }
        return r.iterator(std::move(mapped));
    }
    const Args rest = without_first(args, 1);
    for (const Value& item : Items(r, v)) {
        mapped.push_back(call_filter(r, args.positional[0], item, rest));
    }
    return r.iterator(std::move(mapped));
}

Value choose(Render& r, const Value& v, const Args& args, bool wanted, bool by_attribute) {
    if (!truth(v)) {
        return r.iterator({}); // also of None
    }
    const std::size_t at = by_attribute ? 1 : 0;
    if (args.positional.size() < at) {
        fail("selectattr and rejectattr need the name of an attribute");
    }
    const Args rest = without_first(args, at + 1);
    std::vector<Value> kept;
    for (const Value& item : Items(r, v)) {
        r.meter.step();
        const Value tested = by_attribute ? follow_path(r, item, args.positional[0]) : item;
        const bool holds = args.positional.size() > at
                               ? call_test(r, args.positional[at], tested, rest)
                               : truth(tested);
        if (holds == wanted) {
            kept.push_back(item);
        }
    }
    return r.iterator(std::move(kept));
}

constexpr FilterEntry kSelectionFilters[] = {
    {"map", map},
    {"select",
     [](Render& r, const Value& v, const Args& a) { return choose(r, v, a, true, false); }},
    {"reject",
     [](Render& r, const Value& v, const Args& a) { return choose(r, v, a, false, false); }},
    {"selectattr",
     [](Render& r, const Value& v, const Args& a) { return choose(r, v, a, true, true); }},
    {"rejectattr",
     [](Render& r, const Value& v, const Args& a) { return choose(r, v, a, false, true); }},
};

} // namespace

Value call_filter(Render& r, const Value& name, const Value& v, const Args& args) {
    const Filter filter = name.is(Kind::string) ? find_filter(view_of(name)) : nullptr;
    if (filter == nullptr) {
        fail("no filter named '" + std::string(Str(r, name).view()) + "'");
    }
    const Level level(r.meter);
    r.meter.step();
    return filter(r, v, args);
}

bool call_test(Render& r, const Value& name, const Value& v, const Args& args) {
    const Test test = name.is(Kind::string) ? find_test(view_of(name)) : nullptr;
    if (test == nullptr) {
        fail("no test named '" + std::string(Str(r, name).view()) + "'");
    }
    r.meter.step();
    return test(r, v, args);
}

std::span<const FilterEntry> selection_filters() {
    return kSelectionFilters;
}

Filter find_filter(std::string_view name) {
    for (const auto filters : {text_filters(), sequence_filters(), selection_filters(),
                               order_filters(), number_filters()}) {
        for (const FilterEntry& entry : filters) {
            if (entry.name == name) {
                return entry.run;
            }
        }
    }
    return nullptr;
}

} // namespace sotto::jinja
