// SPDX-License-Identifier: Apache-2.0
#pragma once

// ThreadSanitizer sees our atomics but not what oneTBB, which is not instrumented, does between the
// hand-over of a task and its start. These two lines of a step tell it.
#if defined(__SANITIZE_THREAD__)
#define SOTTO_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SOTTO_TSAN 1
#endif
#endif

#ifdef SOTTO_TSAN
extern "C" {
void __tsan_acquire(void* address);
void __tsan_release(void* address);
}
#define SOTTO_HAND_OVER(kind, address) __tsan_##kind(address)
#else
#define SOTTO_HAND_OVER(kind, address) static_cast<void>(address)
#endif
