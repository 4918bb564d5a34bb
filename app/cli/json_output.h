// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine.h"

#include <nlohmann/json_fwd.hpp>

namespace sotto::cli {

using Json = nlohmann::ordered_json;

Json to_json(const Timings& timings);
/// One line on stdout. Bytes that are no UTF-8 become U+FFFD: JSON cannot hold them.
void print_json(const Json& json);

} // namespace sotto::cli
