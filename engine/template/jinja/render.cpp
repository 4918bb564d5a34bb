// SPDX-License-Identifier: Apache-2.0
#include "engine/template/jinja/render.h"

#include "engine/template/jinja/convert.h"
#include "engine/template/jinja/scope.h"

#include <algorithm>

namespace sotto::jinja {
void check_depth(int depth) {
    if (depth > kMaxValueDepth) {
        fail("lists and dicts inside each other, more than " + std::to_string(kMaxValueDepth) +
             " of them");
    }
}

Render::Render(const Source& template_source, const RenderOptions& render_options)
    : meter(render_options.limits), source(template_source), options(render_options) {}

Render::~Render() {
    for (const auto& space : namespaces_) {
        space->entries.clear();
    }
    for (const auto& scope : kept) {
        scope->slots.clear();
    }
}

Value Render::string(Text text) {
    meter.length(text.size());
    meter.step(2);
    meter.copied(text.size());
    auto data = std::make_shared<StringData>(std::move(text));
    data->charge = Charge(meter, sizeof(StringData) + data->text.memory_bytes());
    return {Kind::string, std::move(data)};
}

Value Render::list(std::vector<Value> items, Flavor flavor) {
    meter.step(items.size() / 8 + 3);
    const std::size_t n_bytes = sizeof(ListData) + items.capacity() * sizeof(Value);
    auto data = std::make_shared<ListData>(std::move(items), flavor);
    check_depth(data->depth);
    data->charge = Charge(meter, n_bytes);
    return {Kind::list, std::move(data)};
}

Value Render::dict(std::vector<DictData::Entry> entries) {
    std::size_t weight = entries.size();
    for (const auto& [key, value] : entries) {
        if (!hashable(key)) {
            fail("a " + std::string(type_name(key)) + " cannot be the key of a dict");
        }
        weight += key_weight(key) / 16;
    }
    std::size_t log = 1;
    while ((entries.size() >> log) > 0) {
        ++log;
    }
    meter.step(weight * log / 2 + 1);
    const std::size_t n_bytes = sizeof(DictData) + entries.capacity() * sizeof(DictData::Entry);
    meter.room(2 * n_bytes);
    auto data = std::make_shared<DictData>(std::move(entries));
    check_depth(data->depth);
    data->charge = Charge(meter, n_bytes);
    return {Kind::dict, std::move(data)};
}

Value Render::iterator(std::vector<Value> items) {
    meter.step(items.size() / 8 + 1);
    auto data = std::make_shared<IteratorData>(std::move(items));
    check_depth(data->depth);
    data->charge = Charge(meter, sizeof(IteratorData) + data->items.capacity() * sizeof(Value));
    return {Kind::iterator, std::move(data)};
}

Value Render::undefined(std::string message) {
    return {Kind::undefined, std::make_shared<UndefinedData>(std::move(message))};
}

Value Render::name_space(std::vector<std::pair<std::string, Value>> entries) {
    meter.take(sizeof(NamespaceData) + 64);
    auto data = std::make_shared<NamespaceData>();
    data->entries = std::move(entries);
    namespaces_.push_back(data);
    return {Kind::name_space, std::move(data)};
}

void Render::write(std::string_view bytes, Origin origin) {
    before_write(bytes.size(), bytes.size() + sizeof(std::size_t));
    out_->append(bytes, origin);
}

void Render::write(const Text& text) {
    before_write(text.size(), text.memory_bytes());
    out_->append(text);
}

void Render::before_write(std::size_t n_bytes, std::size_t n_kept) {
    meter.copied(n_bytes);
    meter.length(out_->size() + n_bytes);
    meter.take(n_kept);
    unclaimed_ += n_kept;
}

Capture::Capture(Render& r)
    : render_(r), outer_(std::exchange(r.out_, &text_)),
      outer_unclaimed_(std::exchange(r.unclaimed_, 0)) {}

Capture::~Capture() {
    render_.meter.give(render_.unclaimed_);
    render_.out_ = outer_;
    render_.unclaimed_ = outer_unclaimed_;
}

Params::Params(std::string_view function, const Args& args,
               std::initializer_list<std::string_view> names, std::size_t n_required)
    : function_(function) {
    if (args.positional.size() > names.size()) {
        fail(std::string(function) + " takes at most " + std::to_string(names.size()) +
             " arguments, not " + std::to_string(args.positional.size()));
    }
    for (std::size_t i = 0; i < args.positional.size(); ++i) {
        values_[i] = &args.positional[i];
    }
    for (const auto& [name, value] : args.keywords) {
        const auto at = std::find(names.begin(), names.end(), name);
        if (at == names.end()) {
            fail(std::string(function) + " has no parameter '" + name + "'");
        }
        const Value*& slot = values_[static_cast<std::size_t>(at - names.begin())];
        if (slot != nullptr) {
            fail(std::string(function) + " got two values for '" + name + "'");
        }
        slot = &value;
    }
    for (std::size_t i = 0; i < n_required; ++i) {
        if (!has(i)) {
            fail(std::string(function) + " needs the argument '" + std::string(names.begin()[i]) +
                 "'");
        }
    }
}

std::int64_t Params::integer(std::size_t i, std::int64_t otherwise) const {
    if (!has(i)) {
        return otherwise;
    }
    if (!is_integral(*values_[i])) {
        fail(std::string(function_) + " needs an integer, not a " +
             std::string(type_name(*values_[i])));
    }
    return values_[i]->integer();
}

std::string_view Params::string(std::size_t i, std::string_view otherwise) const {
    if (!has(i)) {
        return otherwise;
    }
    if (!values_[i]->is(Kind::string)) {
        fail(std::string(function_) + " needs a string, not a " +
             std::string(type_name(*values_[i])));
    }
    return view_of(*values_[i]);
}

const Text& Params::text(std::size_t i) const {
    static_cast<void>(string(i, {}));
    return text_of(*values_[i]);
}

bool Params::truth(std::size_t i, bool otherwise) const {
    return has(i) ? jinja::truth(*values_[i]) : otherwise;
}

} // namespace sotto::jinja
