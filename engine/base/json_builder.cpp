// SPDX-License-Identifier: Apache-2.0
#include "engine/base/json_builder.h"

#include "engine/base/utf8.h"

#include <algorithm>

namespace sotto::json {
namespace {

/// The parser saw to it that it is UTF-8; control characters and length are still any.
std::string shown(std::string_view key) {
    constexpr std::size_t kMax = 80;
    std::string text(key.substr(0, kMax));
    text.resize(text.size() - utf8::incomplete_tail(text));
    std::ranges::replace_if(
        text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }, '?');
    return "'" + text + (key.size() > kMax ? "...'" : "'");
}

} // namespace

bool Builder::fail(std::string message) {
    message_ = std::move(message);
    return false;
}

bool Builder::scalar(Node node) {
    if (pending_.size() + storage_->nodes.size() >= limits_.max_values) {
        return fail("more than " + std::to_string(limits_.max_values) + " values");
    }
    pending_.push_back(node);
    return true;
}

bool Builder::string(std::string_view text) {
    Node node;
    node.kind = Kind::string;
    node.size = static_cast<std::uint32_t>(text.size());
    node.place = {static_cast<std::uint32_t>(storage_->text.size()), 0};
    storage_->text += text;
    return scalar(node);
}

bool Builder::begin(Kind kind) {
    if (open_.size() >= static_cast<std::size_t>(limits_.max_depth)) {
        return fail("lists and objects more than " + std::to_string(limits_.max_depth) + " deep");
    }
    open_.push_back({kind, pending_.size()});
    return true;
}

bool Builder::end() {
    const Frame frame = open_.back();
    open_.pop_back();
    std::vector<Node>& nodes = storage_->nodes;
    const auto begin = pending_.begin() + static_cast<std::ptrdiff_t>(frame.first);
    Node node;
    node.kind = frame.kind;
    node.size = static_cast<std::uint32_t>(pending_.end() - begin);
    node.place = {static_cast<std::uint32_t>(nodes.size()), 0};
    nodes.insert(nodes.end(), begin, pending_.end());
    pending_.erase(begin, pending_.end());
    return (frame.kind == Kind::array || close_object(node)) && scalar(node);
}

bool Builder::close_object(Node& object) {
    object.size /= 2;
    if (object.size > kMaxUnsorted) {
        return sort_keys(object);
    }
    for (std::size_t i = 1; i < object.size; ++i) {
        for (std::size_t k = 0; k < i; ++k) {
            if (storage_->key(object, i) == storage_->key(object, k)) {
                return twice(storage_->key(object, i));
            }
        }
    }
    return true;
}

bool Builder::sort_keys(Node& object) {
    std::vector<std::uint32_t>& order = storage_->order;
    object.place.order = static_cast<std::uint32_t>(order.size());
    for (std::uint32_t i = 0; i < object.size; ++i) {
        order.push_back(i);
    }
    const auto begin = order.end() - static_cast<std::ptrdiff_t>(object.size);
    const auto key = [&](std::uint32_t i) { return storage_->key(object, i); };
    std::ranges::sort(begin, order.end(), {}, key);
    const auto same = std::ranges::adjacent_find(begin, order.end(), {}, key);
    return same == order.end() || twice(key(*same));
}

bool Builder::twice(std::string_view key) {
    return fail("key " + shown(key) + " is there twice in one object");
}

std::unique_ptr<const Storage> Builder::finish() {
    storage_->nodes.push_back(pending_.back());
    storage_->nodes.shrink_to_fit();
    storage_->text.shrink_to_fit();
    return std::move(storage_);
}

} // namespace sotto::json
