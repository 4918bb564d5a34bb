// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sotto::kernels {

/// Tells the core that this is a waiting loop; some tens of nanoseconds.
void cpu_pause();

} // namespace sotto::kernels
