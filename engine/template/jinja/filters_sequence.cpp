// SPDX-License-Identifier: Apache-2.0
// Filters on sequences and dicts that keep the order of their items.
#include "engine/template/jinja/access.h"
#include "engine/template/jinja/convert.h"
#include "engine/template/jinja/filters.h"

#include <algorithm>

namespace sotto::jinja {
namespace {

Value default_value(Render& r, const Value& v, const Args& args) {
    const Params params("default", args, {"default_value", "boolean"});
    if (v.is(Kind::undefined) || (params.truth(1, false) && !truth(v))) {
        return params.has(0) ? params[0] : r.trusted("");
    }
    return v;
}

Value items(Render& r, const Value& v, const Args& args) {
    const Params params("items", args, {});
    if (v.is(Kind::undefined)) {
        return r.iterator({});
    }
    if (!v.is(Kind::dict)) {
        fail("items needs a mapping, not a " + std::string(type_name(v)));
    }
    std::vector<Value> pairs;
    for (const auto& [key, value] : v.as<DictData>().entries) {
        pairs.push_back(r.tuple({key, value}));
    }
    return r.iterator(std::move(pairs));
}

Value count(Render& r, const Value& v, const Args& args) {
    const Params params("length", args, {});
    if (v.is(Kind::string)) {
        r.meter.scanned(view_of(v).size());
    }
    if (v.is(Kind::loop)) {
        return loop_attribute(r, v, "length");
    }
    const std::int64_t n = length(v);
    if (n < 0) {
        fail("a " + std::string(type_name(v)) + " has no length");
    }
    return Value::integer(n);
}

Value first(Render& r, const Value& v, const Args& args) {
    const Params params("first", args, {});
    if (v.is(Kind::iterator)) { // takes one and leaves the rest
        auto& data = v.as<IteratorData>();
        return data.next < data.items.size() ? data.items[data.next++]
                                             : r.undefined("No first item, sequence was empty.");
    }
    const Items items(r, v);
    return items.size() > 0 ? items[0] : r.undefined("No first item, sequence was empty.");
}

void refuse_iterator(const Value& v) {
    if (v.is(Kind::iterator)) {
        fail("a generator cannot be reversed");
    }
}

Value last(Render& r, const Value& v, const Args& args) {
    const Params params("last", args, {});
    refuse_iterator(v);
    const Items items(r, v);
    return items.size() > 0 ? items[items.size() - 1]
                            : r.undefined("No last item, sequence was empty.");
}

Value list(Render& r, const Value& v, const Args& args) {
    const Params params("list", args, {});
    return r.list(Items(r, v).copy());
}

Value reverse(Render& r, const Value& v, const Args& args) {
    const Params params("reverse", args, {});
    if (v.is(Kind::string)) {
        return get_slice(r, v, {}, {}, Value::integer(-1));
    }
    std::vector<Value> reversed = Items(r, v).copy();
    std::reverse(reversed.begin(), reversed.end());
    return v.is(Kind::iterator) ? r.list(std::move(reversed)) : r.iterator(std::move(reversed));
}

Value batch(Render& r, const Value& v, const Args& args) {
    const Params params("batch", args, {"linecount", "fill_with"}, 1);
    const std::int64_t count = params.integer(0, 1);
    const auto width = static_cast<std::size_t>(std::max<std::int64_t>(count, 0));
    std::vector<Value> batches, line;
    for (const Value& item : Items(r, v)) {
        if (line.size() == width && !line.empty()) {
            batches.push_back(r.list(std::exchange(line, {})));
        }
        line.push_back(item);
    }
    if (!line.empty()) {
        if (!params.get(1).is(Kind::none) && line.size() < width) {
            r.meter.room(width < SIZE_MAX / sizeof(Value) ? width * sizeof(Value) : SIZE_MAX);
            line.resize(width, params[1]);
        }
        batches.push_back(r.list(std::move(line)));
    }
    return r.iterator(std::move(batches));
}

Value slice(Render& r, const Value& v, const Args& args) {
    const Params params("slice", args, {"slices", "fill_with"}, 1);
    const Items items(r, v);
    const std::int64_t n = params.integer(0, 1);
    if (n <= 0) {
        fail("slice needs a number above zero");
    }
    const auto n_slices = static_cast<std::size_t>(n);
    const std::size_t width = items.size() / n_slices, n_longer = items.size() % n_slices;
    std::vector<Value> slices;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < n_slices; ++i) {
        const std::size_t end = begin + width + (i < n_longer ? 1 : 0);
        std::vector<Value> part(items.begin() + static_cast<std::ptrdiff_t>(begin),
                                items.begin() + static_cast<std::ptrdiff_t>(end));
        if (i >= n_longer && !params.get(1).is(Kind::none)) {
            part.push_back(params[1]);
        }
        slices.push_back(r.list(std::move(part)));
        begin = end;
    }
    return r.iterator(std::move(slices));
}

Value attribute(Render& r, const Value& v, const Args& args) {
    const Params params("attr", args, {"name"}, 1);
    return get_method(r, v, params.string(0, {}));
}

constexpr FilterEntry kSequenceFilters[] = {
    {"default", default_value}, {"d", default_value}, {"items", items}, {"length", count},
    {"count", count},           {"first", first},     {"last", last},   {"list", list},
    {"reverse", reverse},       {"batch", batch},     {"slice", slice}, {"attr", attribute},
};

} // namespace

std::span<const FilterEntry> sequence_filters() {
    return kSequenceFilters;
}

} // namespace sotto::jinja
