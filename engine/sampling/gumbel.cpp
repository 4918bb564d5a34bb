// SPDX-License-Identifier: Apache-2.0
#include "engine/sampling/gumbel.h"

#include "engine/base/philox.h"
#include "kernels/math.h"

namespace sotto::sampling {

double gumbel_noise(std::uint64_t seed, std::int64_t position, std::int32_t id) {
    const auto pos = static_cast<std::uint64_t>(position);
    const auto random =
        philox4x32({static_cast<std::uint32_t>(id), static_cast<std::uint32_t>(pos),
                    static_cast<std::uint32_t>(pos >> 32), 0},
                   {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)});
    // 52 bits and a half: strictly between 0 and 1.
    const std::uint64_t bits = (static_cast<std::uint64_t>(random[0]) << 20) | (random[1] >> 12);
    const double u = (static_cast<double>(bits) + 0.5) * 0x1p-52;
    return -kernels::log_f64(-kernels::log_f64(u));
}

std::int32_t gumbel_pick(const Candidates& candidates, float temperature, std::uint64_t seed,
                         std::int64_t position) {
    std::int32_t best = -1;
    double best_value = 0;
    for (const Candidate& c : candidates) {
        const double value = static_cast<double>(c.logit) / static_cast<double>(temperature) +
                             gumbel_noise(seed, position, c.id);
        if (best < 0 || value > best_value || (value == best_value && c.id < best)) {
            best = c.id;
            best_value = value;
        }
    }
    return best;
}

} // namespace sotto::sampling
