// SPDX-License-Identifier: Apache-2.0
#include "engine/tokenizer/special_tokens.h"

#include "engine/base/utf8.h"
#include "engine/tokenizer/unicode.h"

#include <algorithm>
#include <functional>

namespace sotto::tokenizer {
namespace {

/// Whether [begin, end) of a text has no letter or digit beside it.
bool stands_alone(std::string_view text, std::size_t begin, std::size_t end) {
    return (begin == 0 || !is_word_character(last_character(text.substr(0, begin)))) &&
           (end == text.size() || !is_word_character(utf8::decode(text.substr(end)).code_point));
}

/// Where the span that holds `at` ends; `at` if none does.
std::size_t trusted_until(std::span<const Span> trusted, std::size_t at) {
    const auto next = std::ranges::upper_bound(trusted, at, std::less{}, &Span::begin);
    return next == trusted.begin() ? at : std::max(at, std::prev(next)->end);
}

} // namespace

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

const SpecialTokens::Token* SpecialTokens::longest_at(std::string_view text, std::size_t at,
                                                      std::size_t trusted_end) const {
    const Token* longest = nullptr;
    // low..high: the tokens that begin with the first n bytes of the text.
    auto low = tokens_.begin(), high = tokens_.end();
    for (std::size_t n = 0; low != high; ++n) {
        if (low->spelling.size() == n) { // sorted: the token that ends here comes first
            if ((low->anywhere || at + n <= trusted_end) &&
                (!low->place.single_word || stands_alone(text, at, at + n))) {
                longest = &*low;
            }
            ++low;
        }
        if (at + n == text.size()) {
            break;
        }
        const auto byte = [n](const Token& t) { return static_cast<unsigned char>(t.spelling[n]); };
        const auto wanted = static_cast<unsigned char>(text[at + n]);
        low = std::ranges::lower_bound(low, high, wanted, std::less{}, byte);
        high = std::ranges::upper_bound(low, high, wanted, std::less{}, byte);
    }
    return longest;
}

SpecialTokens::Match SpecialTokens::find(std::string_view text, std::size_t from,
                                         std::span<const Span> trusted) const {
    for (std::size_t i = from; i < text.size() && !tokens_.empty(); ++i) {
        if (!first_bytes_[static_cast<unsigned char>(text[i])]) {
            continue;
        }
        if (const Token* token = longest_at(text, i, trusted_until(trusted, i))) {
            Match m{i, i + token->spelling.size(), token->id};
            m.begin -= token->place.lstrip ? trailing_white_space(text.substr(from, i - from)) : 0;
            m.end += token->place.rstrip ? leading_white_space(text.substr(m.end)) : 0;
            return m;
        }
    }
    return {};
}

std::vector<Span> joined(std::span<const Span> spans, std::size_t n_bytes) {
    std::vector<Span> all;
    for (const Span& s : spans) {
        const Span kept{s.begin, std::min(s.end, n_bytes)};
        if (kept.begin < kept.end) {
            all.push_back(kept);
        }
    }
    std::ranges::sort(all, std::less{}, &Span::begin);
    std::vector<Span> result;
    for (const Span& s : all) {
        if (!result.empty() && s.begin <= result.back().end) {
            result.back().end = std::max(result.back().end, s.end);
        } else {
            result.push_back(s);
        }
    }
    return result;
}

} // namespace sotto::tokenizer
