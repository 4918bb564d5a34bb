// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace sotto::tokenizer {

/// A regular expression of Oniguruma (what tokenizer.json holds) as one of PCRE2 that matches the
/// same where the two differ in what tokenizers use: \s (PCRE2 takes U+180E for a blank), \w (it
/// leaves marks out) and \h (hexadecimal digits). The rest is as it was.
std::string from_oniguruma(std::string_view regex);

} // namespace sotto::tokenizer
