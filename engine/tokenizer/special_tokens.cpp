// SPDX-License-Identifier: Apache-2.0
#include "engine/tokenizer/special_tokens.h"

#include <algorithm>
#include <functional>

namespace sotto::tokenizer {

void SpecialTokens::add(std::string_view spelling, std::int32_t id) {
    if (spelling.empty() || !ids_.emplace(spelling, id).second) {
        return;
    }
    std::vector<std::size_t>& lengths = lengths_[static_cast<unsigned char>(spelling[0])];
    const auto at = std::ranges::lower_bound(lengths, spelling.size(), std::greater{});
    if (at == lengths.end() || *at != spelling.size()) {
        lengths.insert(at, spelling.size());
    }
}

SpecialTokens::Match SpecialTokens::find(std::string_view text, std::size_t from) const {
    for (std::size_t i = from; i < text.size(); ++i) {
        for (const std::size_t n : lengths_[static_cast<unsigned char>(text[i])]) {
            if (n > text.size() - i) {
                continue;
            }
            const auto it = ids_.find(std::string(text.substr(i, n)));
            if (it != ids_.end()) {
                return {i, i + n, it->second};
            }
        }
    }
    return {};
}

} // namespace sotto::tokenizer
