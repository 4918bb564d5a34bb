// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/template/jinja/render.h"

#include <span>

namespace sotto::jinja {

std::span<const FilterEntry> text_filters();
std::span<const FilterEntry> sequence_filters();
std::span<const FilterEntry> order_filters();
std::span<const FilterEntry> selection_filters();
std::span<const FilterEntry> number_filters();

Value filter_tojson(Render& r, const Value& v, const Args& args);

/// Applies the filter or test of that name, as map and select do.
Value call_filter(Render& r, const Value& name, const Value& v, const Args& args);
bool call_test(Render& r, const Value& name, const Value& v, const Args& args);

/// The value in lower case if it is a string, as sorting compares it.
Value without_case(Render& r, const Value& v);

} // namespace sotto::jinja
