// SPDX-License-Identifier: Apache-2.0
// What str can do. Filters and methods of the same name share it.
#pragma once

#include "engine/template/jinja/render.h"

#include <span>

namespace sotto::jinja {

std::span<const MethodEntry> string_case_methods();
std::span<const MethodEntry> string_strip_methods();
std::span<const MethodEntry> string_search_methods();
std::span<const MethodEntry> string_split_methods();

Value upper(Render& r, const Value& s);
Value lower(Render& r, const Value& s);
Value capitalize(Render& r, const Value& s);

enum class Side : std::uint8_t { left, right, both };
/// Without `chars` (None): white space. Fails for chars of another kind.
Value strip(Render& r, const Value& s, const Value& chars, Side side);

/// At most `count` times; all if negative.
Value replace(Render& r, const Value& s, const Text& old_text, const Text& new_text,
              std::int64_t count);
std::vector<Value> split_lines(Render& r, const Value& s, bool keep_ends);
Value join(Render& r, const Text& separator, const Value& items, bool strings_only);

/// str.format; see format.cpp.
Value brace_format(Render& r, const Value& self, const Args& args);

} // namespace sotto::jinja
