// SPDX-License-Identifier: Apache-2.0
#include "engine/model/rope_scaling.h"

#include "kernels/math.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sotto::model {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;

// Our own functions, as everywhere on the way to a logit: a platform's may differ in the last bit.
double log2_of(double x) {
    return kernels::log_f64(x) / std::numbers::ln2;
}

/// Positions it takes the i-th pair of n_rot/2 to turn once.
double wavelength(const ModelConfig& c, int i) {
    return kTurn * kernels::exp2_f64(log2_of(c.rope_freq_base) * 2.0 * i / c.n_rot);
}

/// Short waves stay, long ones are divided by the factor, those between by a mixture.
double llama3_divisor(const RopeScaling& s, double wave) {
    if (wave < s.original_context / s.high_freq_factor) {
        return 1.0;
    }
    if (wave > s.original_context / s.low_freq_factor) {
        return s.factor;
    }
    const double smooth =
        (s.original_context / wave - s.low_freq_factor) / (s.high_freq_factor - s.low_freq_factor);
    return 1.0 / ((1.0 - smooth) / s.factor + smooth);
}

/// The pair that turns `rotations` times within the original context.
double yarn_dim(const ModelConfig& c, double rotations) {
    return c.n_rot * kernels::log_f64(c.rope_scaling.original_context / (rotations * kTurn)) /
           (2 * kernels::log_f64(c.rope_freq_base));
}

double yarn_divisor(const ModelConfig& c, int i) {
    const RopeScaling& s = c.rope_scaling;
    const double low = std::max(0.0, std::floor(yarn_dim(c, s.beta_fast)));
    const double high = std::min(c.n_rot - 1.0, std::ceil(yarn_dim(c, s.beta_slow)));
    const double ramp = std::clamp((i - low) / std::max(0.001, high - low), 0.0, 1.0);
    return 1.0 / (ramp / s.factor + (1.0 - ramp));
}

double divisor(const ModelConfig& c, int i) {
    switch (c.rope_scaling.kind) {
    case RopeScaling::Kind::none:
        return 1.0;
    case RopeScaling::Kind::linear:
        return c.rope_scaling.factor;
    case RopeScaling::Kind::llama3:
        return llama3_divisor(c.rope_scaling, wavelength(c, i));
    case RopeScaling::Kind::yarn:
        return yarn_divisor(c, i);
    }
    return 1.0;
}

} // namespace

std::vector<float> rope_divisors(const ModelConfig& c) {
    std::vector<float> divisors;
    if (c.rope_scaling.kind == RopeScaling::Kind::none) {
        return divisors;
    }
    for (int i = 0; i < c.n_rot / 2; ++i) {
        divisors.push_back(static_cast<float>(divisor(c, i)));
    }
    return divisors;
}

double rope_magnitude(const RopeScaling& s) {
    if (s.kind != RopeScaling::Kind::yarn) {
        return 1.0;
    }
    return s.attention_factor > 0 ? s.attention_factor
                                  : 1.0 + 0.1 * kernels::log_f64(std::max(1.0, s.factor));
}

} // namespace sotto::model
