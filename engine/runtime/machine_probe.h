// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine.h"
#include "kernels/kernels.h"

namespace sotto::runtime {

Result<std::unique_ptr<MachineProbe>>
make_machine_probe(int n_threads, const kernels::KernelTable& kernel, std::size_t memory_bytes);

} // namespace sotto::runtime
