// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"
#include "engine/template/jinja/value.h"

#include <string_view>

namespace sotto::jinja {

/// A value from JSON text (RFC 8259, strictly). Integers stay integers, of any size; objects keep
/// their order, and of equal keys the last one's value counts. Strings are input; so are keys
/// unless told otherwise, because a model writes the arguments of a tool call. Fails (bad_argument)
/// with the offset, also for more than kMaxJsonDepth lists and objects inside each other.
Result<Value> from_json(std::string_view text, Origin strings = Origin::input,
                        Origin keys = Origin::input);

} // namespace sotto::jinja
