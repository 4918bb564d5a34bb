// SPDX-License-Identifier: Apache-2.0
#include "engine/template/jinja/convert.h"

#include "engine/template/jinja/unicode.h"

namespace sotto::jinja {
namespace {

std::vector<Value> characters(Render& r, const Text& text) {
    std::vector<Value> chars;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = at + next_char(text.view().substr(at)).n_bytes;
        chars.push_back(r.string(text.slice(at, end)));
        at = end;
    }
    return chars;
}

} // namespace

bool truth(const Value& v) {
    switch (v.kind()) {
    case Kind::undefined:
    case Kind::none:
        return false;
    case Kind::boolean:
    case Kind::integer:
        return v.integer() != 0;
    case Kind::number:
        return v.number() != 0;
    case Kind::string:
        return !view_of(v).empty();
    case Kind::list:
        return !items_in(v).empty();
    case Kind::dict:
        return !v.as<DictData>().entries.empty();
    default:
        return true; // an iterator too, even when nothing is left in it
    }
}

std::string_view type_name(const Value& v) {
    static constexpr std::string_view kLists[] = {"list",      "tuple",       "tuple",     "range",
                                                  "dict_keys", "dict_values", "dict_items"};
    static constexpr std::string_view kKinds[] = {
        "Undefined", "NoneType", "bool",        "int",       "int",       "float",
        "str",       "list",     "dict",        "generator", "Namespace", "function",
        "method",    "Macro",    "LoopContext", "Cycler",    "Joiner"};
    return v.is(Kind::list) ? kLists[static_cast<std::size_t>(v.as<ListData>().flavor)]
                            : kKinds[static_cast<std::size_t>(v.kind())];
}

std::string object_name(const Value& v) {
    return v.is(Kind::none) ? "None" : std::string(type_name(v)) + " object";
}

bool iterable(const Value& v) {
    switch (v.kind()) {
    case Kind::undefined:
    case Kind::string:
    case Kind::list:
    case Kind::dict:
    case Kind::iterator:
    case Kind::loop:
        return true;
    default:
        return false;
    }
}

std::int64_t length(const Value& v) {
    switch (v.kind()) {
    case Kind::undefined:
        return 0;
    case Kind::string:
        return static_cast<std::int64_t>(n_chars(view_of(v)));
    case Kind::list:
        return static_cast<std::int64_t>(items_in(v).size());
    case Kind::dict:
        return static_cast<std::int64_t>(v.as<DictData>().entries.size());
    default:
        return -1;
    }
}

Value to_string(Render& r, const Value& v) {
    if (v.is(Kind::string)) {
        return v;
    }
    Text text;
    append_str(r, text, v);
    return r.string(std::move(text));
}

Items::Items(Render& r, const Value& v) : keep_(v) {
    r.meter.step();
    switch (v.kind()) {
    case Kind::undefined:
        break;
    case Kind::list:
        view_ = items_in(v);
        break;
    case Kind::string:
        own(r, characters(r, text_of(v)));
        break;
    case Kind::dict: {
        std::vector<Value> keys;
        for (const auto& entry : v.as<DictData>().entries) {
            keys.push_back(entry.first);
        }
        own(r, std::move(keys));
        break;
    }
    case Kind::iterator: {
        auto& data = v.as<IteratorData>();
        view_ = std::span<const Value>(data.items).subspan(data.next);
        data.next = data.items.size();
        break;
    }
    default:
        fail("a " + std::string(type_name(v)) + " cannot be iterated over");
    }
}

void Items::own(Render& r, std::vector<Value> items) {
    r.meter.step(items.size() / 8);
    own_ = std::move(items);
    charge_ = Charge(r.meter, own_.capacity() * sizeof(Value));
    view_ = own_;
}

} // namespace sotto::jinja
