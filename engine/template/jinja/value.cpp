// SPDX-License-Identifier: Apache-2.0
#include "engine/template/jinja/value.h"

#include "engine/template/jinja/objects.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sotto::jinja {
namespace {

constexpr std::size_t kLinear = 8; // dicts up to this size are searched from end to end

int sign(std::strong_ordering order) {
    return order < 0 ? -1 : order > 0 ? 1 : 0;
}

/// Values of different ranks are never equal as keys.
int rank(const Value& v) {
    return is_number(v)            ? 1
           : v.is(Kind::list)      ? 2
           : v.is(Kind::undefined) ? 3
                                   : 4 + static_cast<int>(v.kind());
}

bool is_nan(const Value& v) {
    return v.is(Kind::number) && std::isnan(v.number());
}

int order_of_lists(const std::vector<Value>& a, const std::vector<Value>& b) {
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        if (const int order = key_order(a[i], b[i]); order != 0) {
            return order;
        }
    }
    return sign(a.size() <=> b.size());
}

int order_to(const Value& a, const Value& b) {
    return key_order(a, b);
}
int order_to(const Value& a, std::string_view b) {
    const int string_rank = 4 + static_cast<int>(Kind::string);
    return a.is(Kind::string) ? sign(view_of(a) <=> b) : sign(rank(a) <=> string_rank);
}

std::vector<std::uint32_t> order_by_key(const std::vector<DictData::Entry>& entries) {
    std::vector<std::uint32_t> order(entries.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), [&entries](std::uint32_t a, std::uint32_t b) {
        return key_order(entries[a].first, entries[b].first) == -1;
    });
    return order;
}

/// Of equal keys the first gives the place and the last the value.
std::vector<DictData::Entry> without_repeats(std::vector<DictData::Entry> entries) {
    const std::vector<std::uint32_t> order = order_by_key(entries);
    std::vector<bool> gone(entries.size());
    std::size_t n_gone = 0;
    for (std::size_t i = 0, first = 0; i < order.size(); ++i) {
        if (key_order(entries[order[first]].first, entries[order[i]].first) != 0) {
            first = i;
        } else if (i != first) {
            entries[order[first]].second = std::move(entries[order[i]].second);
            gone[order[i]] = true;
            ++n_gone;
        }
    }
    if (n_gone > 0) {
        std::size_t n_kept = 0;
        for (std::size_t i = 0; i < entries.size(); ++i) {
            if (!gone[i]) {
                std::swap(entries[n_kept++], entries[i]);
            }
        }
        entries.resize(n_kept);
    }
    return entries;
}

} // namespace

Value Value::boolean(bool b) {
    Value v;
    v.kind_ = Kind::boolean;
    v.integer_ = b ? 1 : 0;
    return v;
}

Value Value::integer(std::int64_t i) {
    Value v;
    v.kind_ = Kind::integer;
    v.integer_ = i;
    return v;
}

Value Value::number(double d) {
    Value v;
    v.kind_ = Kind::number;
    v.number_ = d;
    return v;
}

Value Value::string(std::string bytes, Origin origin) {
    return {Kind::string, std::make_shared<StringData>(Text(std::move(bytes), origin))};
}

Value Value::list(std::vector<Value> items) {
    return {Kind::list, std::make_shared<ListData>(std::move(items), Flavor::list)};
}

Value Value::dict(std::vector<std::pair<std::string, Value>> entries, Origin keys) {
    std::vector<DictData::Entry> values;
    values.reserve(entries.size());
    for (auto& [key, value] : entries) {
        values.emplace_back(string(std::move(key), keys), std::move(value));
    }
    return {Kind::dict, std::make_shared<DictData>(std::move(values))};
}

int depth_of(const Value& value) {
    switch (value.kind()) {
    case Kind::list:
        return value.as<ListData>().depth;
    case Kind::dict:
        return value.as<DictData>().depth;
    case Kind::iterator:
        return value.as<IteratorData>().depth;
    case Kind::cycler:
        return value.as<CyclerData>().depth;
    case Kind::joiner:
        return depth_of(value.as<JoinerData>().separator) + 1;
    case Kind::method:
        return depth_of(value.as<MethodData>().self) + 1;
    default:
        return 0;
    }
}

int depth_around(const std::vector<Value>& items) {
    int depth = 0;
    for (const Value& item : items) {
        depth = std::max(depth, depth_of(item));
    }
    return depth + 1;
}

bool hashable(const Value& value) {
    if (value.is(Kind::list)) {
        // Tuples inside tuples could share parts, and comparing them would take for ever.
        return is_tuple(value) &&
               std::none_of(items_in(value).begin(), items_in(value).end(),
                            [](const Value& v) { return v.is(Kind::list) || v.is(Kind::dict); });
    }
    return !value.is(Kind::dict);
}

std::size_t key_weight(const Value& key) {
    if (key.is(Kind::string) || key.is(Kind::big)) {
        return view_of(key).size();
    }
    std::size_t weight = 1;
    if (key.is(Kind::list)) {
        for (const Value& item : items_in(key)) {
            weight += key_weight(item);
        }
    }
    return weight;
}

int compare_numbers(const Value& a, const Value& b) {
    if (is_integral(a) && is_integral(b)) {
        return sign(a.integer() <=> b.integer());
    }
    const double x = as_double(a), y = as_double(b);
    return x < y ? -1 : x > y ? 1 : x == y ? 0 : 2; // 2: one is not a number
}

int key_order(const Value& a, const Value& b) {
    if (rank(a) != rank(b)) {
        return sign(rank(a) <=> rank(b));
    }
    if (is_number(a)) {
        const int order = compare_numbers(a, b);
        return order != 2 ? order : sign(is_nan(b) <=> is_nan(a));
    }
    if (a.is(Kind::string) || a.is(Kind::big)) {
        return sign(view_of(a) <=> view_of(b));
    }
    if (a.is(Kind::list)) {
        return order_of_lists(items_in(a), items_in(b));
    }
    return a.is(Kind::undefined) ? 0 : sign(a.object() <=> b.object());
}

ListData::ListData(std::vector<Value> i, Flavor f)
    : items(std::move(i)), flavor(f), depth(depth_around(items)) {}

DictData::DictData(std::vector<Entry> e) : entries(without_repeats(std::move(e))) {
    for (const auto& [key, value] : entries) {
        depth = std::max({depth, depth_of(value) + 1, depth_of(key) + 1});
    }
    if (entries.size() > kLinear) {
        order = order_by_key(entries);
    }
}

template <class Key>
const Value* DictData::look_up(const Key& key) const {
    if (order.empty()) {
        for (const auto& [k, value] : entries) {
            if (order_to(k, key) == 0) {
                return &value;
            }
        }
        return nullptr;
    }
    const auto at =
        std::lower_bound(order.begin(), order.end(), key, [this](std::uint32_t i, const Key& k) {
            return order_to(entries[i].first, k) == -1;
        });
    return at != order.end() && order_to(entries[*at].first, key) == 0 ? &entries[*at].second
                                                                       : nullptr;
}

const Value* DictData::find(const Value& key) const {
    return look_up(key);
}
const Value* DictData::find(std::string_view key) const {
    return look_up(key);
}

Value* NamespaceData::find(std::string_view name) {
    const auto at = std::find_if(entries.begin(), entries.end(),
                                 [name](const auto& entry) { return entry.first == name; });
    return at == entries.end() ? nullptr : &at->second;
}

} // namespace sotto::jinja
