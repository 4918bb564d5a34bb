// SPDX-License-Identifier: Apache-2.0
// value.name, value[key] and value[a:b:c]. What is not there is undefined; what the sandbox forbids
// is undefined too and says so when it is used. Both fail on an undefined value.
#pragma once

#include "engine/template/jinja/render.h"

namespace sotto::jinja {

/// The method of that name before the item of that key.
Value get_attribute(Render& r, const Value& object, std::string_view name);
/// The method alone, as the filter `attr` has it.
Value get_method(Render& r, const Value& object, std::string_view name);
/// The item of that key before the method of that name.
Value get_item(Render& r, const Value& object, const Value& key);
/// Bounds are integers or None. Fails for what has no slices.
Value get_slice(Render& r, const Value& sequence, const Value& start, const Value& stop,
                const Value& step);

/// The way an `attribute` argument of a filter goes: "function.name", "0.text" or 0.
Value follow_path(Render& r, const Value& object, const Value& path,
                  const Value* otherwise = nullptr);

/// Attributes of `loop`; undefined if there is none of that name.
Value loop_attribute(Render& r, const Value& loop, std::string_view name);

} // namespace sotto::jinja
