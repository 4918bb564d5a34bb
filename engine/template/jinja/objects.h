// SPDX-License-Identifier: Apache-2.0
// What values of the interpreter point to.
#pragma once

#include "engine/template/jinja/meter.h"
#include "engine/template/jinja/value.h"

#include <array>
#include <span>

namespace sotto::jinja {

class Render;
struct Args;

/// How deeply what a value holds is nested; 0 for what holds nothing. Namespaces do not count: the
/// rendering empties them at its end.
int depth_of(const Value& value);
int depth_around(const std::vector<Value>& items);

struct UndefinedData final : Object {
    explicit UndefinedData(std::string m) : message(std::move(m)) {}
    std::string message; // "'foo' is undefined"
};

/// Of Kind::big too: its digits.
struct StringData final : Object {
    explicit StringData(Text t) : text(std::move(t)) {}
    Text text;
    bool markup = false; // went through `safe` or `escape`: what is added to it gets escaped
    Charge charge;
};

enum class Flavor : std::uint8_t { list, tuple, group, range, keys, values, items };

struct ListData final : Object {
    ListData(std::vector<Value> i, Flavor f);
    std::vector<Value> items;
    Flavor flavor;
    int depth; // values inside each other, this one counted
    std::array<std::int64_t, 3> range{};
    Charge charge;
};

struct DictData final : Object {
    using Entry = std::pair<Value, Value>;
    /// Keys must be hashable().
    explicit DictData(std::vector<Entry> e);
    /// Null if absent.
    [[nodiscard]] const Value* find(const Value& key) const;
    [[nodiscard]] const Value* find(std::string_view key) const;

    std::vector<Entry> entries;
    std::vector<std::uint32_t> order; // of the entries by key, for large dicts
    int depth = 1;
    Charge charge;

  private:
    template <class Key>
    const Value* look_up(const Key& key) const;
};

struct IteratorData final : Object {
    explicit IteratorData(std::vector<Value> i) : items(std::move(i)), depth(depth_around(items)) {}
    std::vector<Value> items;
    int depth;
    std::size_t next = 0;
    Charge charge;
};

struct NamespaceData final : Object {
    std::vector<std::pair<std::string, Value>> entries;
    [[nodiscard]] Value* find(std::string_view name);
};

struct CyclerData final : Object {
    explicit CyclerData(std::vector<Value> i) : items(std::move(i)), depth(depth_around(items)) {}
    std::vector<Value> items;
    int depth;
    std::size_t position = 0;
    Charge charge;
};

struct JoinerData final : Object {
    Value separator;
    bool used = false;
};

using Method = Value (*)(Render&, const Value& self, const Args&);
struct MethodEntry {
    std::string_view name;
    Method run; // null: the sandbox forbids it
};
struct MethodData final : Object {
    MethodData(Value s, const MethodEntry& e) : self(std::move(s)), entry(e) {}
    Value self;
    const MethodEntry& entry;
};

/// Can be the key of a dict: no lists, no dicts and (unlike Python) no tuples of tuples.
bool hashable(const Value& value);
/// Bytes that a comparison of this hashable value may look at.
std::size_t key_weight(const Value& key);
/// A total order over hashable values in which Python's equal values are equal; no other meaning.
int key_order(const Value& a, const Value& b);
int compare_numbers(const Value& a, const Value& b);

inline bool is_number(const Value& v) { // booleans count, as in Python
    return v.is(Kind::boolean) || v.is(Kind::integer) || v.is(Kind::number);
}
inline bool is_integral(const Value& v) {
    return v.is(Kind::boolean) || v.is(Kind::integer);
}
inline double as_double(const Value& v) {
    return v.is(Kind::number) ? v.number() : static_cast<double>(v.integer());
}
inline const Text& text_of(const Value& v) {
    return v.as<StringData>().text;
}
inline std::string_view view_of(const Value& v) {
    return text_of(v).view();
}
inline const std::vector<Value>& items_in(const Value& v) {
    return v.as<ListData>().items;
}
inline bool is_flavor(const Value& v, Flavor flavor) {
    return v.is(Kind::list) && v.as<ListData>().flavor == flavor;
}
inline bool is_tuple(const Value& v) {
    return is_flavor(v, Flavor::tuple) || is_flavor(v, Flavor::group);
}

} // namespace sotto::jinja
