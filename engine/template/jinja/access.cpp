// SPDX-License-Identifier: Apache-2.0
#include "engine/template/jinja/access.h"

#include "engine/template/jinja/convert.h"
#include "engine/template/jinja/operators.h"
#include "engine/template/jinja/unicode.h"

#include <algorithm>
#include <charconv>

namespace sotto::jinja {
namespace {

/// For messages, which most often nobody reads.
std::string shortened(std::string_view name) {
    constexpr std::size_t kMax = 80;
    return name.size() <= kMax ? std::string(name) : std::string(name.substr(0, kMax)) + "...";
}

Value no_attribute(Render& r, const Value& object, std::string_view name) {
    return r.undefined("'" + object_name(object) + "' has no attribute '" + shortened(name) + "'");
}

Value no_element(Render& r, const Value& object, const Value& key) {
    Text text;
    append_repr(r, text, key);
    return r.undefined(object_name(object) + " has no element " + shortened(text.view()));
}

Value forbidden(Render& r, const Value& object, std::string_view name) {
    return r.undefined("access to attribute '" + shortened(name) + "' of '" +
                       std::string(type_name(object)) + "' object is unsafe");
}

/// Python's own attributes: methods and the fields of objects. False if there is none.
bool own_attribute(Render& r, const Value& object, std::string_view name, Value& found) {
    if (const MethodEntry* method = find_method(object, name)) {
        found = method->run == nullptr
                    ? forbidden(r, object, name)
                    : Value(Kind::method, std::make_shared<MethodData>(object, *method));
        return true;
    }
    if (object.is(Kind::name_space)) {
        const Value* value = object.as<NamespaceData>().find(name);
        found = value != nullptr ? *value : Value();
        return value != nullptr;
    }
    if (object.is(Kind::loop)) {
        found = loop_attribute(r, object, name);
        return !found.is(Kind::undefined) || found.object() != nullptr;
    }
    if (is_flavor(object, Flavor::group) && (name == "grouper" || name == "list")) {
        found = items_in(object)[name == "list" ? 1 : 0];
        return true;
    }
    if (object.is(Kind::cycler) && name == "current") {
        const auto& cycler = object.as<CyclerData>();
        found = cycler.items[cycler.position];
        return true;
    }
    return false;
}

/// Subscripting; false where Python raises TypeError or LookupError.
bool own_item(Render& r, const Value& object, const Value& key, Value& found) {
    if (object.is(Kind::dict) && hashable(key)) {
        r.meter.scanned(key_weight(key));
        const Value* value = object.as<DictData>().find(key);
        found = value != nullptr ? *value : Value();
        return value != nullptr;
    }
    if (!is_integral(key)) {
        return false;
    }
    std::int64_t i = key.integer();
    if (object.is(Kind::list) && object.as<ListData>().flavor < Flavor::keys) {
        const auto& items = items_in(object);
        const auto n = static_cast<std::int64_t>(items.size());
        i += i < 0 ? n : 0;
        if (i < 0 || i >= n) {
            return false;
        }
        found = items[static_cast<std::size_t>(i)];
        return true;
    }
    if (object.is(Kind::string)) {
        const std::string_view bytes = view_of(object);
        r.meter.scanned(bytes.size());
        i += i < 0 ? static_cast<std::int64_t>(n_chars(bytes)) : 0;
        const std::size_t at = i < 0 ? bytes.size() : offset_of(bytes, static_cast<std::size_t>(i));
        if (at == bytes.size()) {
            return false;
        }
        found = r.string(text_of(object).slice(at, at + next_char(bytes.substr(at)).n_bytes));
        return true;
    }
    return false;
}

/// Python's slice.indices(): the first position, the step, and how many.
struct Range {
    std::int64_t start, step, n;
};
Range slice_range(std::int64_t length, const Value& start, const Value& stop, const Value& step) {
    for (const Value* v : {&start, &stop, &step}) {
        refuse_undefined(*v);
        if (!v->is(Kind::none) && !is_integral(*v)) {
            fail("the bounds of a slice must be integers, not a " + std::string(type_name(*v)));
        }
    }
    const std::int64_t by =
        step.is(Kind::none) ? 1 : std::clamp<std::int64_t>(step.integer(), -INT64_MAX, INT64_MAX);
    if (by == 0) {
        fail("a slice's step cannot be zero");
    }
    const std::int64_t low = by > 0 ? 0 : -1, high = by > 0 ? length : length - 1;
    const auto bound = [&](const Value& v, std::int64_t otherwise) {
        if (v.is(Kind::none)) {
            return otherwise;
        }
        const std::int64_t i = v.integer();
        return std::clamp(i < 0 ? i + length : i, low, high);
    };
    const std::int64_t first = bound(start, by > 0 ? low : high);
    const std::int64_t last = bound(stop, by > 0 ? high : low);
    const std::int64_t distance = by > 0 ? last - first : first - last;
    return {first, by, distance <= 0 ? 0 : (distance - 1) / (by > 0 ? by : -by) + 1};
}

Value slice_text(Render& r, const Value& value, const Range& range) {
    const Text& text = text_of(value);
    if (range.step == 1) {
        const std::size_t begin = offset_of(text.view(), static_cast<std::size_t>(range.start));
        const std::size_t n =
            offset_of(text.view().substr(begin), static_cast<std::size_t>(range.n));
        return r.string(text.slice(begin, begin + n));
    }
    std::vector<std::size_t> offsets; // of every character and of the end
    r.meter.room(text.size() * sizeof(std::size_t));
    for (std::size_t at = 0; at < text.size(); at += next_char(text.view().substr(at)).n_bytes) {
        offsets.push_back(at);
    }
    offsets.push_back(text.size());
    Text out;
    for (std::int64_t i = 0; i < range.n; ++i) {
        const auto at = static_cast<std::size_t>(range.start + i * range.step);
        out.append(text, offsets[at], offsets[at + 1]);
    }
    r.meter.step(static_cast<std::uint64_t>(range.n) / 4);
    return r.string(std::move(out));
}

} // namespace

Value get_method(Render& r, const Value& object, std::string_view name) {
    refuse_undefined(object);
    Value found;
    return own_attribute(r, object, name, found) ? found : no_attribute(r, object, name);
}

Value get_attribute(Render& r, const Value& object, std::string_view name) {
    refuse_undefined(object);
    r.meter.step();
    Value found;
    if (own_attribute(r, object, name, found)) {
        return found;
    }
    if (object.is(Kind::dict)) {
        if (const Value* value = object.as<DictData>().find(name)) {
            return *value;
        }
    }
    return name.starts_with("__") ? forbidden(r, object, name) : no_attribute(r, object, name);
}

Value get_item(Render& r, const Value& object, const Value& key) {
    refuse_undefined(object);
    r.meter.step();
    Value found;
    if (own_item(r, object, key, found)) {
        return found;
    }
    if (!key.is(Kind::string)) {
        return no_element(r, object, key);
    }
    return own_attribute(r, object, view_of(key), found) ? found
                                                         : no_attribute(r, object, view_of(key));
}

Value get_slice(Render& r, const Value& sequence, const Value& start, const Value& stop,
                const Value& step) {
    refuse_undefined(sequence);
    if (sequence.is(Kind::string)) {
        r.meter.scanned(view_of(sequence).size());
        return slice_text(r, sequence, slice_range(length(sequence), start, stop, step));
    }
    if (!sequence.is(Kind::list) || sequence.as<ListData>().flavor >= Flavor::keys) {
        fail("a " + std::string(type_name(sequence)) + " has no slices");
    }
    const auto& items = items_in(sequence);
    const Range range = slice_range(static_cast<std::int64_t>(items.size()), start, stop, step);
    std::vector<Value> part;
    part.reserve(static_cast<std::size_t>(range.n));
    for (std::int64_t i = 0; i < range.n; ++i) {
        part.push_back(items[static_cast<std::size_t>(range.start + i * range.step)]);
    }
    return r.list(std::move(part), is_tuple(sequence) ? Flavor::tuple : Flavor::list);
}

Value follow_path(Render& r, const Value& object, const Value& path, const Value* otherwise) {
    Value value = object;
    const auto go = [&](const Value& part) {
        value = get_item(r, value, part);
        if (otherwise != nullptr && !otherwise->is(Kind::none) && value.is(Kind::undefined)) {
            value = *otherwise;
        }
    };
    if (!path.is(Kind::string)) {
        if (!path.is(Kind::none)) {
            go(path);
        }
        return value;
    }
    for (std::string_view rest = view_of(path);;) {
        const std::size_t dot = rest.find('.');
        const std::string_view part = rest.substr(0, dot);
        std::int64_t index = 0;
        const auto end = std::from_chars(part.data(), part.data() + part.size(), index);
        const bool is_index = !part.empty() && part.front() != '-' && end.ec == std::errc() &&
                              end.ptr == part.data() + part.size();
        go(is_index ? Value::integer(index) : Value::trusted(std::string(part)));
        if (dot == std::string_view::npos) {
            return value;
        }
        rest.remove_prefix(dot + 1);
    }
}

} // namespace sotto::jinja
