// SPDX-License-Identifier: Apache-2.0
// Elementary functions of our own (numerics, rule 7): only + * / and std::fma, so that their bits
// are the same on every machine. These are called outside the vector kernels (tables, sampling).
#pragma once

#include <cstdint>

namespace sotto::kernels {

/// e^x, float; exactly 1 at 0, 0 below about -103, infinity above about 88.7. The same bits as in
/// the kernels.
float exp_f32(float x);
/// Natural logarithm in double, relative error below 1e-15; -infinity at 0, NaN below.
double log_f64(double x);
/// cos and sin of 2*pi*turns in double, absolute error below 1e-15.
void cos_sin_turns(double turns, double& cos, double& sin);
/// 2^x in double, relative error below 1e-15.
double exp2_f64(double x);

/// Rotary tables of one position: for pair i of n_rot/2 the angle is
/// pos * freq_base^(-2i/n_rot) * freq_scale / (freq_factors ? freq_factors[i] : 1), computed in
/// double, reduced in turns, rounded once. cos, sin [n_rot/2].
void rope_table(std::int64_t pos, int n_rot, double freq_base, double freq_scale,
                const float* freq_factors, float* cos, float* sin);

} // namespace sotto::kernels
