// SPDX-License-Identifier: Apache-2.0
// What the files of an instruction set are written with. Nothing in them may become a symbol that
// the linker merges: a copy compiled for AVX-512 could be the one it keeps for everybody.
#pragma once

#if defined(_MSC_VER) && !defined(__clang__)
#define SOTTO_INLINE static __forceinline
#define SOTTO_INLINE_LAMBDA [[msvc::forceinline]]
#define SOTTO_MEMBER __forceinline
#else
#define SOTTO_INLINE static inline __attribute__((always_inline))
#define SOTTO_INLINE_LAMBDA __attribute__((always_inline))
#define SOTTO_MEMBER inline __attribute__((always_inline))
#endif

/// Fetches a line into the second cache: from memory more can be on their way there than into the
/// first one.
#if defined(_MSC_VER) && !defined(__clang__)
#define SOTTO_PREFETCH(address) static_cast<void>(address)
#else
#define SOTTO_PREFETCH(address) __builtin_prefetch(address, 0, 2)
#endif
