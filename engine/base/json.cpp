// SPDX-License-Identifier: Apache-2.0
#include "engine/base/json.h"

#include "engine/base/json_storage.h"

#include <algorithm>
#include <cassert>

namespace sotto::json {

const char* kind_name(Kind kind) {
    constexpr const char* kNames[] = {"null",     "a boolean", "an integer", "a number",
                                      "a string", "a list",    "an object"};
    return kNames[static_cast<std::size_t>(kind)];
}

Kind Value::kind() const {
    return node_->kind;
}

bool Value::boolean() const {
    return is(Kind::boolean) && node_->boolean;
}

std::int64_t Value::integer() const {
    return is(Kind::integer) ? node_->integer : 0;
}

double Value::number() const {
    return is(Kind::real) ? node_->real : static_cast<double>(integer());
}

std::string_view Value::string() const {
    return storage_->string(*node_);
}

std::size_t Value::size() const {
    return is(Kind::array) || is(Kind::object) ? node_->size : 0;
}

Value Value::at(std::size_t i) const {
    assert(i < size());
    const std::size_t step = is(Kind::object) ? 2 : 1;
    return {*storage_, storage_->nodes[node_->place.first + step * i + (step - 1)]};
}

std::string_view Value::key(std::size_t i) const {
    assert(is(Kind::object) && i < size());
    return storage_->key(*node_, i);
}

std::optional<Value> Value::find(std::string_view wanted) const {
    if (!is(Kind::object)) {
        return {};
    }
    if (size() <= kMaxUnsorted) {
        for (std::size_t i = 0; i < size(); ++i) {
            if (key(i) == wanted) {
                return at(i);
            }
        }
        return {};
    }
    const std::uint32_t* begin = storage_->order.data() + node_->place.order;
    const std::uint32_t* end = begin + size();
    const auto* it = std::lower_bound(
        begin, end, wanted, [this](std::uint32_t i, std::string_view k) { return key(i) < k; });
    return it != end && key(*it) == wanted ? std::optional(at(*it)) : std::nullopt;
}

Document::Document(std::unique_ptr<const Storage> storage) : storage_(std::move(storage)) {}
Document::Document(Document&&) noexcept = default;
Document& Document::operator=(Document&&) noexcept = default;
Document::~Document() = default;

Value Document::root() const {
    return {*storage_, storage_->nodes.back()};
}

} // namespace sotto::json
