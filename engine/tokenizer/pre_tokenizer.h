// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"

#include <memory>
#include <string_view>
#include <vector>

namespace sotto::tokenizer {

/// How the vocabularies of one family split text into words before merging.
struct PreTokenizerRule {
    std::vector<std::string_view> names; // values of tokenizer.ggml.pre
    std::vector<const char*>
        patterns;               // applied one after the other, each to the pieces of the one before
    bool ignore_merges = false; // a word that is in the vocabulary is taken whole
};

/// The table. The first rule is GPT-2's, the fallback.
const std::vector<PreTokenizerRule>& pre_tokenizer_rules();
/// Null for an unknown name.
const PreTokenizerRule* find_pre_tokenizer(std::string_view name);

/// Splits text by a rule. Immutable; any thread; stack use does not grow with the text.
class PreTokenizer {
  public:
    static Result<std::unique_ptr<PreTokenizer>> make(const PreTokenizerRule& rule);
    ~PreTokenizer();
    PreTokenizer(const PreTokenizer&) = delete;
    PreTokenizer& operator=(const PreTokenizer&) = delete;

    /// Appends the words; joined they are `text`, bytes that are no UTF-8 included.
    void split(std::string_view text, std::vector<std::string_view>& words) const;

  private:
    struct Pattern;
    PreTokenizer();
    std::vector<Pattern> patterns_;
};

} // namespace sotto::tokenizer
