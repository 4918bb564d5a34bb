// SPDX-License-Identifier: Apache-2.0
// Methods of dict and list, and where all methods are looked up.
#include "engine/template/jinja/convert.h"
#include "engine/template/jinja/methods.h"
#include "engine/template/jinja/operators.h"

#include <algorithm>

namespace sotto::jinja {
namespace {

Value get(Render& r, const Value& self, const Args& args) {
    const Params params("get", args, {"key", "default"}, 1);
    if (!hashable(params[0])) {
        fail("a " + std::string(type_name(params[0])) + " cannot be the key of a dict");
    }
    r.meter.scanned(key_weight(params[0]));
    const Value* found = self.as<DictData>().find(params[0]);
    return found != nullptr ? *found : params.get(1);
}

Value view(Render& r, const Value& self, const Args& args, Flavor flavor) {
    const Params params("items", args, {});
    std::vector<Value> items;
    items.reserve(self.as<DictData>().entries.size());
    for (const auto& [key, value] : self.as<DictData>().entries) {
        items.push_back(flavor == Flavor::keys     ? key
                        : flavor == Flavor::values ? value
                                                   : r.tuple({key, value}));
    }
    return r.list(std::move(items), flavor);
}

Value copy(Render&, const Value& self, const Args& args) {
    const Params params("copy", args, {});
    return self;
}

constexpr MethodEntry kDict[] = {
    {"get", get},
    {"items",
     [](Render& r, const Value& v, const Args& a) { return view(r, v, a, Flavor::items); }},
    {"keys", [](Render& r, const Value& v, const Args& a) { return view(r, v, a, Flavor::keys); }},
    {"values",
     [](Render& r, const Value& v, const Args& a) { return view(r, v, a, Flavor::values); }},
    {"copy", copy},
    {"clear", nullptr},
    {"pop", nullptr},
    {"popitem", nullptr},
    {"setdefault", nullptr},
    {"update", nullptr},
};

Value index(Render& r, const Value& self, const Args& args) {
    const Params params("index", args, {"value", "start", "stop"}, 1);
    const auto& items = items_in(self);
    const auto n = static_cast<std::int64_t>(items.size());
    const auto at = [&](std::size_t i, std::int64_t otherwise) {
        const std::int64_t b = params.integer(i, otherwise);
        return std::clamp<std::int64_t>(b < 0 ? b + n : b, 0, n);
    };
    for (std::int64_t i = at(1, 0); i < at(2, n); ++i) {
        if (equal(r, items[static_cast<std::size_t>(i)], params[0])) {
            return Value::integer(i);
        }
    }
    fail("the value is not in the list");
}

Value count(Render& r, const Value& self, const Args& args) {
    const Params params("count", args, {"value"}, 1);
    return Value::integer(std::count_if(items_in(self).begin(), items_in(self).end(),
                                        [&](const Value& v) { return equal(r, v, params[0]); }));
}

constexpr MethodEntry kList[] = {
    {"index", index},    {"count", count},     {"copy", copy},      {"append", nullptr},
    {"clear", nullptr},  {"extend", nullptr},  {"insert", nullptr}, {"pop", nullptr},
    {"remove", nullptr}, {"reverse", nullptr}, {"sort", nullptr},
};
constexpr std::size_t kTuple = 2; // the first ones are a tuple's and a range's too

Value next(Render&, const Value& self, const Args& args) {
    const Params params("next", args, {});
    auto& cycler = self.as<CyclerData>();
    Value current = cycler.items[cycler.position];
    cycler.position = (cycler.position + 1) % cycler.items.size();
    return current;
}

Value reset(Render&, const Value& self, const Args& args) {
    const Params params("reset", args, {});
    self.as<CyclerData>().position = 0;
    return {};
}

constexpr MethodEntry kCycler[] = {{"next", next}, {"reset", reset}};

const MethodEntry* among(std::span<const MethodEntry> methods, std::string_view name) {
    const auto at = std::find_if(methods.begin(), methods.end(),
                                 [name](const MethodEntry& m) { return m.name == name; });
    return at == methods.end() ? nullptr : &*at;
}

const MethodEntry* of_string(std::string_view name) {
    for (const auto methods : {string_strip_methods(), string_split_methods(),
                               string_search_methods(), string_case_methods()}) {
        if (const MethodEntry* method = among(methods, name)) {
            return method;
        }
    }
    return nullptr;
}

} // namespace

const MethodEntry* find_method(const Value& self, std::string_view name) {
    switch (self.kind()) {
    case Kind::string:
        return of_string(name);
    case Kind::dict:
        return among(kDict, name);
    case Kind::list: {
        const Flavor flavor = self.as<ListData>().flavor;
        return flavor == Flavor::list   ? among(kList, name)
               : flavor >= Flavor::keys ? nullptr
                                        : among(std::span(kList).first(kTuple), name);
    }
    case Kind::cycler:
        return among(kCycler, name);
    default:
        return nullptr;
    }
}

} // namespace sotto::jinja
