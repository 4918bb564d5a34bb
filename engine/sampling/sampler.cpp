// SPDX-License-Identifier: Apache-2.0
#include "engine/sampling/sampler.h"

#include "engine/sampling/gumbel.h"
#include "engine/sampling/min_p.h"
#include "engine/sampling/repeat_penalty.h"
#include "engine/sampling/top_k.h"
#include "engine/sampling/top_p.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace sotto::sampling {

Result<void> check_params(const SamplingParams& params) {
    Result<void> result;
    visit_params(params, [&](const ParamInfo& info, const auto& value) {
        const auto v = static_cast<double>(value);
        const bool in_range = v >= info.min && (v <= info.max || info.decimals == 0);
        if (result && (!std::isfinite(v) || !in_range)) {
            result = Error{ErrorCode::bad_argument,
                           std::string(info.key) + " is " + std::to_string(v) + ", outside " +
                               std::to_string(info.min) + " to " + std::to_string(info.max)};
        }
    });
    return result;
}

std::int32_t Sampler::pick(std::span<float> logits, std::span<const std::int32_t> history,
                           std::int64_t position, const SamplingParams& params) {
    const auto n = static_cast<std::int64_t>(logits.size());
    const std::int64_t likeliest = kernel_.argmax(logits.data(), n);
    if (likeliest < 0) {
        return -1;
    }
    const bool penalize = params.repeat_penalty != 1.0f && params.repeat_last_n > 0;
    if (penalize) {
        const std::size_t look_back =
            std::min<std::size_t>(history.size(), static_cast<std::size_t>(params.repeat_last_n));
        repeat_penalty(logits, history.last(look_back), params.repeat_penalty, seen_);
    }
    if (params.temperature <= 0) {
        return static_cast<std::int32_t>(penalize ? kernel_.argmax(logits.data(), n) : likeliest);
    }
    top_k(logits, params.top_k, candidates_);
    if (params.top_p < 1) {
        kept_.clear();
        for (const Candidate& c : candidates_) {
            kept_.push_back(c.logit);
        }
        top_p(candidates_, params.top_p,
              kernel_.log_sum_exp(kept_.data(), static_cast<std::int64_t>(kept_.size())));
    }
    if (params.min_p > 0) {
        min_p(candidates_, params.min_p);
    }
    return gumbel_pick(candidates_, params.temperature, params.seed, position);
}

} // namespace sotto::sampling
