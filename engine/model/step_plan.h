// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace sotto::model {

/// One operation of a step: `run` is called for every chunk in [0, n_chunks), in any order and on
/// any thread; the next operation starts when all are done. Chunks of one operation do not depend
/// on each other, and no result depends on how an operation is cut into chunks. `worker` is below
/// the pool's thread count and no two calls at one time have the same: it picks scratch memory.
struct StepOp {
    void (*run)(void* context, std::int64_t argument, std::int64_t chunk, int worker);
    void* context;
    std::int64_t argument; // a layer's index, say
    std::int64_t n_chunks;
    // For measurements.
    const char* name = "";
    std::int64_t weight_bytes = 0; // packed weights that all its chunks read
    std::int64_t n_products = 0;   // multiplications with them
};

/// A whole forward pass as a list; the memory is kept from step to step.
using StepPlan = std::vector<StepOp>;

} // namespace sotto::model
