// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace sotto::kernels {

/// Sets the calling thread's floating-point control word to its default (round to nearest even,
/// denormals kept, exceptions masked) and restores the old one: a library elsewhere in the process
/// may have set flush-to-zero, and threads inherit it (numerics, rule 8).
class DefaultFpEnv {
  public:
    DefaultFpEnv();
    ~DefaultFpEnv();
    DefaultFpEnv(const DefaultFpEnv&) = delete;
    DefaultFpEnv& operator=(const DefaultFpEnv&) = delete;

  private:
    std::uint64_t saved_;
};

/// Sets flush-to-zero on the calling thread, as a badly behaved library would. For tests.
void set_flush_to_zero(bool on);

} // namespace sotto::kernels
