// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sotto::test {

/// Built with a sanitizer: several times slower, so limits on time are wider and long tests
/// shorter.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#elif defined(__has_feature)
inline constexpr bool kSanitized =
    __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
inline constexpr bool kSanitized = false;
#endif

} // namespace sotto::test
