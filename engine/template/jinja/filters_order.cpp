// SPDX-License-Identifier: Apache-2.0
// Filters that compare the items of a sequence with each other.
#include "engine/template/jinja/access.h"
#include "engine/template/jinja/convert.h"
#include "engine/template/jinja/filters.h"
#include "engine/template/jinja/methods.h"
#include "engine/template/jinja/operators.h"

#include <algorithm>
#include <numeric>

namespace sotto::jinja {
namespace {

/// What an item is sorted by.
struct Key {
    const Value* attribute = nullptr; // null or None: the item itself
    const Value* otherwise = nullptr; // where the attribute is undefined
    bool case_sensitive = false;

    Value operator()(Render& r, const Value& item) const {
        Value key = attribute != nullptr ? follow_path(r, item, *attribute, otherwise) : item;
        return case_sensitive ? key : without_case(r, key);
    }
};

/// Keys of all items; of several attributes ("a,b") a list.
std::vector<Value> keys_of(Render& r, const Items& items, const Key& key) {
    std::vector<Value> paths;
    if (key.attribute != nullptr && key.attribute->is(Kind::string)) {
        std::string_view rest = view_of(*key.attribute);
        for (std::size_t comma = 0; comma != std::string_view::npos;) {
            comma = rest.find(',');
            paths.push_back(Value::trusted(std::string(rest.substr(0, comma))));
            rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 1);
        }
    }
    std::vector<Value> keys;
    for (const Value& item : items) {
        if (paths.size() < 2) {
            keys.push_back(key(r, item));
            continue;
        }
        std::vector<Value> parts;
        for (const Value& path : paths) {
            parts.push_back(Key{&path, nullptr, key.case_sensitive}(r, item));
        }
        keys.push_back(r.list(std::move(parts)));
    }
    return keys;
}

/// The order of positions by their keys; stable also backwards, as Python's is.
std::vector<std::size_t> sorted_positions(Render& r, const std::vector<Value>& keys, bool reverse) {
    std::vector<std::size_t> order(keys.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return reverse ? compare(r, keys[b], keys[a]) == -1 : compare(r, keys[a], keys[b]) == -1;
    });
    return order;
}

Value sort(Render& r, const Value& v, const Args& args) {
    const Params params("sort", args, {"reverse", "case_sensitive", "attribute"});
    const Items items(r, v);
    const Key key{params.has(2) ? &params[2] : nullptr, nullptr, params.truth(1, false)};
    std::vector<Value> sorted;
    for (const std::size_t i :
         sorted_positions(r, keys_of(r, items, key), params.truth(0, false))) {
        sorted.push_back(items[i]);
    }
    return r.list(std::move(sorted));
}

Value dictsort(Render& r, const Value& v, const Args& args) {
    const Params params("dictsort", args, {"case_sensitive", "by", "reverse"});
    const std::string_view by = params.string(1, "key");
    refuse_undefined(v);
    if (!v.is(Kind::dict) || (by != "key" && by != "value")) {
        fail("dictsort needs a dict, and sorts by 'key' or 'value'");
    }
    const auto& entries = v.as<DictData>().entries;
    std::vector<Value> keys;
    for (const auto& [key, value] : entries) {
        const Value& k = by == "key" ? key : value;
        keys.push_back(params.truth(0, false) ? k : without_case(r, k));
    }
    std::vector<Value> sorted;
    for (const std::size_t i : sorted_positions(r, keys, params.truth(2, false))) {
        sorted.push_back(r.tuple({entries[i].first, entries[i].second}));
    }
    return r.list(std::move(sorted));
}

Value unique(Render& r, const Value& v, const Args& args) {
    const Params params("unique", args, {"case_sensitive", "attribute"});
    const Items items(r, v);
    const Key key{params.has(1) ? &params[1] : nullptr, nullptr, params.truth(0, false)};
    std::vector<DictData::Entry> entries;
    for (std::size_t i = 0; i < items.size(); ++i) {
        entries.emplace_back(key(r, items[i]), Value::integer(static_cast<std::int64_t>(i)));
    }
    const Value seen = r.dict(entries); // the first gives the place
    std::vector<Value> kept;
    std::size_t next = 0;
    for (const auto& entry : seen.as<DictData>().entries) {
        while (key_order(entries[next].first, entry.first) != 0) {
            ++next;
        }
        kept.push_back(items[next]);
    }
    return r.iterator(std::move(kept));
}

Value extreme(Render& r, const Value& v, const Args& args, int wanted) {
    const Params params("min", args, {"case_sensitive", "attribute"});
    const Items items(r, v);
    if (items.size() == 0) {
        return r.undefined("No aggregated item, sequence was empty.");
    }
    const Key key{params.has(1) ? &params[1] : nullptr, nullptr, params.truth(0, false)};
    std::size_t best = 0;
    Value best_key = key(r, items[0]);
    for (std::size_t i = 1; i < items.size(); ++i) {
        Value k = key(r, items[i]);
        if (compare(r, k, best_key) == wanted) {
            best = i;
            best_key = std::move(k);
        }
    }
    return items[best];
}

Value group_by(Render& r, const Value& v, const Args& args) {
    const Params params("groupby", args, {"attribute", "default", "case_sensitive"}, 1);
    const Items items(r, v);
    const Key key{&params[0], params.has(1) ? &params[1] : nullptr, params.truth(2, false)};
    const Key shown{&params[0], key.otherwise, true};
    std::vector<Value> keys;
    for (const Value& item : items) {
        keys.push_back(key(r, item));
    }
    const auto order = sorted_positions(r, keys, false);
    std::vector<Value> groups;
    for (std::size_t i = 0, j; i < order.size(); i = j) {
        std::vector<Value> members;
        for (j = i; j < order.size() && equal(r, keys[order[i]], keys[order[j]]); ++j) {
            members.push_back(items[order[j]]);
        }
        j = std::max(j, i + 1); // a NaN does not even equal itself
        groups.push_back(
            r.list({shown(r, items[order[i]]), r.list(std::move(members))}, Flavor::group));
    }
    return r.list(std::move(groups));
}

constexpr FilterEntry kOrderFilters[] = {
    {"sort", sort},
    {"dictsort", dictsort},
    {"unique", unique},
    {"min", [](Render& r, const Value& v, const Args& a) { return extreme(r, v, a, -1); }},
    {"max", [](Render& r, const Value& v, const Args& a) { return extreme(r, v, a, 1); }},
    {"groupby", group_by},
};

} // namespace

Value without_case(Render& r, const Value& v) {
    return v.is(Kind::string) ? lower(r, v) : v;
}

std::span<const FilterEntry> order_filters() {
    return kOrderFilters;
}

} // namespace sotto::jinja
