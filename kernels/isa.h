// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace sotto::kernels {

/// The levels a kernel table exists for. Each gives the scalar level's bits.
/// avx2 means AVX2 with FMA and F16C; avx2vnni adds AVX-VNNI; avx512 is F, BW, DQ and VL;
/// avx512vnni adds AVX512-VNNI; dotprod is NEON with the ARMv8.2 dot product, i8mm adds the
/// products of int8 matrices.
enum class Isa { scalar, avx2, avx2vnni, avx512, avx512vnni, neon, dotprod, i8mm };

const char* isa_name(Isa isa);

/// Levels that this build and this CPU (and its operating system) have, slowest first.
std::vector<Isa> supported_isas();

/// What the CPU has, as text for a person: vendor, model and the features that levels depend on.
std::string cpu_description();

/// The level to use: `forced` (the value of SOTTO_ISA; null or empty for the fastest one there is).
/// Returns false and a message naming the value and the levels there are if it cannot be used.
bool choose_isa(const char* forced, Isa& isa, std::string& error);

} // namespace sotto::kernels
