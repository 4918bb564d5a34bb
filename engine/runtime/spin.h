// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/cpu_pause.h"

#include <thread>

namespace sotto::runtime {

/// Waiting in a loop for another thread: pauses the core at first, for a few microseconds, then
/// gives the processor away, so that more threads than cores still get on.
class Spin {
  public:
    void wait() {
        constexpr int kPauses = 200;
        if (n_ < kPauses) {
            ++n_;
            kernels::cpu_pause();
        } else {
            std::this_thread::yield();
        }
    }

  private:
    int n_ = 0;
};

} // namespace sotto::runtime
