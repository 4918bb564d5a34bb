// SPDX-License-Identifier: Apache-2.0
#include "engine/tokenizer/special_tokens.h"

#include <algorithm>
#include <functional>

namespace sotto::tokenizer {

SpecialTokens::SpecialTokens(std::vector<Token> tokens) : tokens_(std::move(tokens)) {
    std::erase_if(tokens_, [](const Token& t) {
        return t.spelling.empty() || t.spelling.size() > kMaxBytes;
    });
    std::ranges::stable_sort(tokens_, std::less{}, &Token::spelling);
    const auto same = [](const Token& a, const Token& b) { return a.spelling == b.spelling; };
    tokens_.erase(std::unique(tokens_.begin(), tokens_.end(), same), tokens_.end());
    for (const Token& t : tokens_) {
        first_bytes_[static_cast<unsigned char>(t.spelling[0])] = true;
    }
}

const SpecialTokens::Token* SpecialTokens::longest_at_front(std::string_view text) const {
    const Token* longest = nullptr;
    // low..high: the tokens that begin with the first n bytes of the text.
    auto low = tokens_.begin(), high = tokens_.end();
    for (std::size_t n = 0; low != high; ++n) {
        if (low->spelling.size() == n) {
            longest = &*low++; // sorted: the token that ends here comes first
        }
        if (n == text.size()) {
            break;
        }
        const auto byte = [n](const Token& t) { return static_cast<unsigned char>(t.spelling[n]); };
        const auto wanted = static_cast<unsigned char>(text[n]);
        low = std::ranges::lower_bound(low, high, wanted, std::less{}, byte);
        high = std::ranges::upper_bound(low, high, wanted, std::less{}, byte);
    }
    return longest;
}

SpecialTokens::Match SpecialTokens::find(std::string_view text, std::size_t from) const {
    for (std::size_t i = from; i < text.size() && !tokens_.empty(); ++i) {
        if (!first_bytes_[static_cast<unsigned char>(text[i])]) {
            continue;
        }
        if (const Token* token = longest_at_front(text.substr(i))) {
            return {i, i + token->spelling.size(), token->id};
        }
    }
    return {};
}

} // namespace sotto::tokenizer
