// SPDX-License-Identifier: Apache-2.0
#include "kernels/fp_env.h"

#if defined(__x86_64__) || defined(_M_X64)
#include <xmmintrin.h>
#endif

namespace sotto::kernels {
namespace {

#if defined(__x86_64__) || defined(_M_X64)
constexpr std::uint64_t kDefault = 0x1F80; // all exceptions masked, nearest even, denormals kept
constexpr std::uint64_t kFlush = 0x8040;   // flush to zero, denormals are zero
std::uint64_t read_control() { return _mm_getcsr(); }
void write_control(std::uint64_t word) { _mm_setcsr(static_cast<unsigned>(word)); }
#elif defined(__aarch64__) && !defined(_MSC_VER)
constexpr std::uint64_t kDefault = 0;
constexpr std::uint64_t kFlush = std::uint64_t{1} << 24;
std::uint64_t read_control() {
    std::uint64_t word = 0;
    asm volatile("mrs %0, fpcr" : "=r"(word));
    return word;
}
void write_control(std::uint64_t word) { asm volatile("msr fpcr, %0" : : "r"(word)); }
#else
constexpr std::uint64_t kDefault = 0, kFlush = 0;
std::uint64_t read_control() { return 0; }
void write_control(std::uint64_t) {}
#endif

} // namespace

DefaultFpEnv::DefaultFpEnv() : saved_(read_control()) {
    if (saved_ != kDefault) {
        write_control(kDefault);
    }
}

DefaultFpEnv::~DefaultFpEnv() {
    if (saved_ != kDefault) {
        write_control(saved_);
    }
}

void set_flush_to_zero(bool on) { write_control(on ? read_control() | kFlush : read_control() & ~kFlush); }

} // namespace sotto::kernels
