// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

namespace sotto::tokenizer {

/// How the byte-level vocabularies of one family split text into words before merging.
struct SplitRule {
    std::vector<std::string_view> names; // values of tokenizer.ggml.pre
    // Applied one after the other, each to the pieces of the one before: matches and what lies
    // between them are the new pieces.
    std::vector<const char*> patterns;
    bool ignore_merges = false; // a word that is in the vocabulary is taken whole
};

/// The table. The first rule is GPT-2's, the fallback.
const std::vector<SplitRule>& split_rules();
/// Null for an unknown name.
const SplitRule* find_split_rule(std::string_view name);

/// The pattern of ours that matches what one from a tokenizer.json matches, but in linear time;
/// null for those that are not in the list of known ones.
const char* our_pattern(std::string_view published);
/// GPT-2's, which the "ByteLevel" of tokenizer.json stands for.
const char* gpt2_pattern();

} // namespace sotto::tokenizer
