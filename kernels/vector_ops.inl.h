// SPDX-License-Identifier: Apache-2.0
// Everything of a KernelTable but the products, generic over F32x16 (simd/f32x16_<isa>.h): the
// scalar level's code is the definition. Included inside an unnamed namespace, so without any
// header of a library, after quantize_row, QueryCodes and attention_sizes.inl.h.

#include "kernels/exp.inl.h"

#include "kernels/rows.inl.h"

#include "kernels/attention.inl.h"
#include "kernels/kv_store.inl.h"
#include "kernels/rope.inl.h"
