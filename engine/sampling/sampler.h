// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"
#include "engine/sampling/candidates.h"
#include "engine/sampling/params.h"
#include "kernels/kernels.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sotto::sampling {

/// bad_argument naming the parameter and its range, for settings that come from outside.
Result<void> check_params(const SamplingParams& params);

/// The chain: repeat penalty, then the likeliest token (temperature 0) or top-k, top-p, min-p and a
/// draw at the temperature. Holds scratch memory only: one for each sequence, on the scheduler's
/// thread.
class Sampler {
  public:
    explicit Sampler(const kernels::KernelTable& kernel) : kernel_(kernel) {}

    /// Picks the token for `position`. `history` is every token before it. Changes `logits`.
    /// Returns -1 if a logit is infinite or NaN.
    std::int32_t pick(std::span<float> logits, std::span<const std::int32_t> history,
                      std::int64_t position, const SamplingParams& params);

  private:
    const kernels::KernelTable& kernel_;
    Candidates candidates_;
    std::vector<std::int32_t> seen_;
    std::vector<float> kept_;
};

} // namespace sotto::sampling
