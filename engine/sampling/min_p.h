// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/sampling/candidates.h"

namespace sotto::sampling {

/// Drops candidates less likely than p times the likeliest; keeps the order of the rest.
void min_p(Candidates& candidates, float p);

} // namespace sotto::sampling
