// SPDX-License-Identifier: Apache-2.0
#include "kernels/fp_env.h"

#if defined(__x86_64__) || defined(_M_X64)
#include <immintrin.h>
#endif

namespace sotto::kernels {
namespace {

#if defined(__x86_64__) || defined(_M_X64)
constexpr std::uint64_t kDefault = 0x1f80;     // all exceptions masked, no flag set
constexpr std::uint64_t kFlushToZero = 0x8040; // of results and of operands

std::uint64_t control_word() {
    return _mm_getcsr();
}
void set_control_word(std::uint64_t word) {
    _mm_setcsr(static_cast<unsigned>(word));
}
#elif defined(__aarch64__)
constexpr std::uint64_t kDefault = 0;
constexpr std::uint64_t kFlushToZero = 1u << 24;

std::uint64_t control_word() {
    std::uint64_t word;
    __asm__ volatile("mrs %0, fpcr" : "=r"(word));
    return word;
}
void set_control_word(std::uint64_t word) {
    __asm__ volatile("msr fpcr, %0" : : "r"(word));
}
#else // no such word is known: nothing to set
constexpr std::uint64_t kDefault = 0, kFlushToZero = 0;

std::uint64_t control_word() {
    return 0;
}
void set_control_word(std::uint64_t) {}
#endif

} // namespace

DefaultFpEnv::DefaultFpEnv() : saved_(control_word()) {
    set_control_word(kDefault);
}

DefaultFpEnv::~DefaultFpEnv() {
    set_control_word(saved_);
}

void set_flush_to_zero(bool on) {
    const std::uint64_t others = control_word() & ~kFlushToZero;
    set_control_word(on ? others | kFlushToZero : others);
}

} // namespace sotto::kernels
