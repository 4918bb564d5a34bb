// SPDX-License-Identifier: Apache-2.0
#include "engine/tokenizer/tokenizer.h"

#include "engine/tokenizer/bpe_tokenizer.h"
#include "engine/tokenizer/split_rules.h"
#include "engine/tokenizer/vocabulary_check.h"

namespace sotto::tokenizer {

std::string Detokenizer::push(TokenId id) {
    std::string bytes = tokenizer_.token_bytes(id, special_);
    if (at_start_ && !bytes.empty()) {
        at_start_ = false;
        if (bytes[0] == ' ') {
            bytes.erase(0, 1);
        }
    }
    return bytes;
}

std::string decode(const Tokenizer& tokenizer, std::span<const TokenId> ids, bool special) {
    Detokenizer detokenizer(tokenizer, special);
    std::string text;
    for (const TokenId id : ids) {
        text += detokenizer.push(id);
    }
    return text;
}

Result<std::unique_ptr<Tokenizer>> make_tokenizer(Vocabulary v, std::vector<std::string>& warnings,
                                                  std::size_t n_rows) {
    if (auto kept = keep_tokens(v, n_rows, warnings); !kept) {
        return std::move(kept).error();
    }
    if (auto checked = check_vocabulary(v, warnings); !checked) {
        return std::move(checked).error();
    }
    auto pipeline = pipeline_of(v, warnings);
    if (!pipeline) {
        return std::move(pipeline).error();
    }
    return BpeTokenizer::make(std::move(v), *std::move(pipeline), warnings);
}

std::vector<std::string_view> known_pre_tokenizers() {
    std::vector<std::string_view> names;
    for (const SplitRule& rule : split_rules()) {
        names.insert(names.end(), rule.names.begin(), rule.names.end());
    }
    return names;
}

} // namespace sotto::tokenizer
