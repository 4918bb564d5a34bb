// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/tokenizer/normalizer.h"
#include "engine/tokenizer/pre_tokenizer.h"
#include "engine/tokenizer/tokenizer.h"

#include <string>
#include <utility>
#include <vector>

namespace sotto::tokenizer {

/// How a tokenizer works on the text between two recognised tokens, whatever kind of file said so:
/// normalized, split into words, each word begun as one symbol a byte or character, symbols merged.
struct Pipeline {
    std::string name; // "byte-level BPE (smollm)"
    Normalizer normalizer;
    PreTokenizer pre_tokenizer;

    enum class Symbols { bytes, characters };
    Symbols symbols = Symbols::bytes;
    bool merges_by_score = false; // else by the list of merges
    bool ignore_merges = false;   // a word that is in the vocabulary is taken whole
    // Of characters without a token:
    bool byte_fallback = true; // they become tokens <0x00>..<0xFF>, else the unknown token
    bool fuse_unknown = true;  // unknown ones in a row become one token

    // What tokens mean: of characters, spellings are replaced; bytes have their stand-ins.
    std::vector<std::pair<std::string, std::string>> spellings;
    bool puts_blank_first = false;
};

/// The pipeline that a GGUF file's tokenizer.ggml.model, .pre and .add_space_prefix stand for.
/// Errors: unsupported (another model).
Result<Pipeline> pipeline_of(const Vocabulary& vocabulary, std::vector<std::string>& warnings);

} // namespace sotto::tokenizer
