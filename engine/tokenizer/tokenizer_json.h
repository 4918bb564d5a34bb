// SPDX-License-Identifier: Apache-2.0
// tokenizer.json, as Hugging Face's "tokenizers" library writes it: one object with
//
//   added_tokens    [{id, content, special, lstrip, rstrip, single_word}]: found in text first
//   normalizer      NFC NFD NFKC NFKD Lowercase Replace Prepend Strip Sequence, or null
//   pre_tokenizer   ByteLevel Split Digits Punctuation Whitespace WhitespaceSplit Metaspace
//                   Sequence, or null
//   model           BPE: vocab {token: id}, merges ["a b"] or [["a", "b"]], unk_token,
//                   byte_fallback, fuse_unk, ignore_merges
//   post_processor  ByteLevel TemplateProcessing Sequence, or null: whether a begin token is put
//   decoder         ByteLevel Replace ByteFallback Fuse Strip Metaspace Sequence, or null
//
// What it says is done as that library does it, but for the rule on marks that people type
// (tokenizer.h), and but for added tokens that are "normalized": they are looked for in the text as
// it is written. Any kind that is not listed here is refused by its name.
#pragma once

#include "engine/base/json.h"
#include "engine/tokenizer/tokenizer.h"

#include <limits>
#include <optional>

namespace sotto::tokenizer {

/// The files of one model.
struct HubFiles {
    json::Value tokenizer; // tokenizer.json
    /// tokenizer_config.json, an object: bos_token, eos_token, unk_token, pad_token, add_bos_token,
    /// added_tokens_decoder.
    std::optional<json::Value> config;
    std::vector<TokenId> more_eog; // eos_token_id of generation_config.json and config.json
    /// Of the embedding table; tokens beyond them are left out (keep_tokens()).
    std::size_t n_rows = std::numeric_limits<std::size_t>::max();
};

/// Errors: bad_file (no object, a value of a wrong type, an id beyond reason), unsupported (a kind
/// that is not known), no_memory; messages begin with the file's name.
Result<std::unique_ptr<Tokenizer>> read_tokenizer_json(const HubFiles& files,
                                                       std::vector<std::string>& warnings);

} // namespace sotto::tokenizer
