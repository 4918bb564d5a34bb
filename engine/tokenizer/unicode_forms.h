// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace sotto::tokenizer {

/// Unicode Standard Annex 15.
enum class UnicodeForm { nfc, nfd, nfkc, nfkd };

/// Whether a text surely is in the form already: a quick look, which may say no of one that is.
[[nodiscard]] bool is_in_form(std::string_view text, UnicodeForm form);
/// Time n log n at worst, whatever marks follow each other. Bytes that are no UTF-8 stay.
void append_in_form(std::string_view text, UnicodeForm form, std::string& out);
/// Each character's own lower case; final sigma is not looked for. Bytes that are no UTF-8 stay.
void append_lowercase(std::string_view text, std::string& out);

} // namespace sotto::tokenizer
