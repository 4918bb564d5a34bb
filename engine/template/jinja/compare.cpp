// SPDX-License-Identifier: Apache-2.0
#include "engine/template/jinja/convert.h"
#include "engine/template/jinja/finder.h"
#include "engine/template/jinja/operators.h"

#include <algorithm>

namespace sotto::jinja {
namespace {

bool equal_lists(Render& r, const Value& a, const Value& b) {
    const Flavor f = a.as<ListData>().flavor, g = b.as<ListData>().flavor;
    if (f != g && !(is_tuple(a) && is_tuple(b)) &&
        !((f == Flavor::keys || f == Flavor::items) && (g == Flavor::keys || g == Flavor::items))) {
        return false;
    }
    const auto &x = items_in(a), &y = items_in(b);
    return x.size() == y.size() &&
           std::equal(x.begin(), x.end(), y.begin(),
                      [&r](const Value& p, const Value& q) { return equal(r, p, q); });
}

bool equal_dicts(Render& r, const DictData& a, const DictData& b) {
    return a.entries.size() == b.entries.size() &&
           std::all_of(a.entries.begin(), a.entries.end(), [&](const auto& entry) {
               r.meter.scanned(key_weight(entry.first));
               const Value* other = b.find(entry.first);
               return other != nullptr && equal(r, entry.second, *other);
           });
}

int order(std::strong_ordering o) {
    return o < 0 ? -1 : o > 0 ? 1 : 0;
}

int compare_lists(Render& r, const std::vector<Value>& a, const std::vector<Value>& b) {
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        if (!equal(r, a[i], b[i])) {
            return compare(r, a[i], b[i]);
        }
    }
    return order(a.size() <=> b.size());
}

bool contains_text(Render& r, const Value& container, const Value& item) {
    if (!item.is(Kind::string)) {
        fail("'in <string>' needs a string on its left, not a " + std::string(type_name(item)));
    }
    r.meter.scanned(view_of(container).size());
    return Finder(view_of(item)).find(view_of(container)) != Finder::kNone;
}

} // namespace

void refuse_undefined(const Value& v) {
    if (v.is(Kind::undefined)) {
        fail(v.as<UndefinedData>().message);
    }
}

bool equal(Render& r, const Value& a, const Value& b) {
    r.meter.step();
    if (is_number(a) && is_number(b)) {
        return compare_numbers(a, b) == 0;
    }
    if (a.kind() != b.kind()) {
        return false;
    }
    if (a.object() == b.object()) {
        return true; // no object: none
    }
    switch (a.kind()) {
    case Kind::undefined:
        return true;
    case Kind::string:
    case Kind::big:
        r.meter.scanned(std::min(view_of(a).size(), view_of(b).size()));
        return view_of(a) == view_of(b);
    case Kind::list:
        return equal_lists(r, a, b);
    case Kind::dict:
        return equal_dicts(r, a.as<DictData>(), b.as<DictData>());
    default:
        return false;
    }
}

int compare(Render& r, const Value& a, const Value& b) {
    r.meter.step();
    refuse_undefined(a);
    refuse_undefined(b);
    if (is_number(a) && is_number(b)) {
        return compare_numbers(a, b);
    }
    if (a.is(Kind::string) && b.is(Kind::string)) {
        r.meter.scanned(std::min(view_of(a).size(), view_of(b).size()));
        return order(view_of(a) <=> view_of(b));
    }
    if (a.is(Kind::list) && b.is(Kind::list) &&
        ((is_tuple(a) && is_tuple(b)) ||
         (is_flavor(a, Flavor::list) && is_flavor(b, Flavor::list)))) {
        return compare_lists(r, items_in(a), items_in(b));
    }
    fail("a " + std::string(type_name(a)) + " and a " + std::string(type_name(b)) +
         " have no order");
}

bool contains(Render& r, const Value& container, const Value& item) {
    r.meter.step();
    if (container.is(Kind::string)) {
        return contains_text(r, container, item);
    }
    if (container.is(Kind::dict)) {
        if (!hashable(item)) {
            fail("a " + std::string(type_name(item)) + " cannot be the key of a dict");
        }
        r.meter.scanned(key_weight(item));
        return container.as<DictData>().find(item) != nullptr;
    }
    if (!iterable(container)) {
        fail("a " + std::string(type_name(container)) + " has no items to look in");
    }
    const Items items(r, container);
    return std::any_of(items.begin(), items.end(),
                       [&](const Value& v) { return equal(r, v, item); });
}

bool holds(Render& r, Comparison op, const Value& a, const Value& b) {
    switch (op) {
    case Comparison::eq:
        return equal(r, a, b);
    case Comparison::ne:
        return !equal(r, a, b);
    case Comparison::lt:
        return compare(r, a, b) == -1;
    case Comparison::le:
        return compare(r, a, b) <= 0;
    case Comparison::gt:
        return compare(r, a, b) == 1;
    case Comparison::ge: {
        const int o = compare(r, a, b);
        return o == 0 || o == 1;
    }
    case Comparison::in:
        return contains(r, b, a);
    case Comparison::not_in:
        return !contains(r, b, a);
    }
    return false;
}

} // namespace sotto::jinja
