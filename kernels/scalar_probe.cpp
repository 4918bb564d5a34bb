// SPDX-License-Identifier: Apache-2.0
// The probes of the scalar level: probe.inl.h in plain code.
#include "kernels/levels.h"

#include <cstring>

namespace sotto::kernels {

std::int64_t scalar_probe_products(std::int64_t n_rounds, const std::uint8_t* codes,
                                   const std::int8_t* x, std::int32_t* sink) {
    std::uint32_t sum[4] = {};
    for (std::int64_t round = 0; round < n_rounds; ++round)
        for (int i = 0; i < 32; ++i)
            sum[i % 4] += static_cast<std::uint32_t>((codes[i] & 15) * x[i]);
    *sink = static_cast<std::int32_t>(sum[0] + sum[1] + sum[2] + sum[3]);
    return n_rounds * 64;
}

void scalar_probe_read(const void* data, std::int64_t n_bytes, std::int32_t* sink) {
    const auto* p = static_cast<const char*>(data);
    std::uint64_t sum[4] = {}, words[4];
    for (std::int64_t i = 0; i + 32 <= n_bytes; i += 32) {
        std::memcpy(words, p + i, sizeof words);
        for (int k = 0; k < 4; ++k)
            sum[k] += words[k];
    }
    *sink = static_cast<std::int32_t>(sum[0] + sum[1] + sum[2] + sum[3]);
}

} // namespace sotto::kernels
