// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sotto::tokenizer {

using TokenId = std::int32_t;

/// tokenizer.ggml.token_type
enum class TokenType : std::int32_t {
    normal = 1,
    unknown = 2,
    control = 3,
    user_defined = 4,
    unused = 5,
    byte = 6
};

/// A vocabulary as files of any format give it.
struct Vocabulary {
    std::string model; // tokenizer.ggml.model: "gpt2" for byte-level BPE
    std::string pre;   // tokenizer.ggml.pre: "smollm"; empty where the file names none
    std::vector<std::string> tokens; // as stored: byte-level stand-ins
    std::vector<std::int32_t> types; // TokenType each; empty: all normal
    std::vector<std::string> merges; // "left right"
    TokenId bos = -1, eos = -1, eot = -1, unk = -1, pad = -1;
    std::vector<TokenId> more_eog; // further end ids that the file names
    bool add_bos = false;
};

/// Immutable; any thread; needs little stack. Time is linear in the text.
class Tokenizer {
  public:
    virtual ~Tokenizer() = default;
    /// parse_special: text that spells a control or user-defined token becomes it. No BOS is added.
    /// Appends to `out`. Invalid UTF-8 survives bytewise.
    virtual void encode(std::string_view text, bool parse_special,
                        std::vector<TokenId>& out) const = 0;
    /// The bytes of a token; control tokens give their text if `special`, else nothing. Empty out
    /// of range.
    [[nodiscard]] virtual std::string token_bytes(TokenId id, bool special) const = 0;
    /// The id of a token spelt exactly like this in the vocabulary, -1 if there is none.
    [[nodiscard]] virtual TokenId find(std::string_view token) const = 0;
    [[nodiscard]] virtual const Vocabulary& vocabulary() const = 0;
    /// eos, eot, more_eog and tokens whose text is a known end mark (<|im_end|>, <|eot_id|>,
    /// <|endoftext|>, ...) and whose type is control.
    [[nodiscard]] virtual bool is_end_of_turn(TokenId id) const = 0;
    /// "byte-level BPE (smollm), 49152 tokens"
    [[nodiscard]] virtual std::string description() const = 0;
};

/// Checks the vocabulary (special ids in range, types as many as tokens, merges that can be read)
/// and builds the tokenizer. Oddities that do no harm go to `warnings`: ids out of range (taken for
/// none), doubled tokens, merges of what is no ordinary token, bytes without a token, an unknown
/// pre-tokenizer.
Result<std::unique_ptr<Tokenizer>> make_tokenizer(Vocabulary vocabulary,
                                                  std::vector<std::string>& warnings);

/// Names of tokenizer.ggml.pre that are known.
std::vector<std::string_view> known_pre_tokenizers();

} // namespace sotto::tokenizer
