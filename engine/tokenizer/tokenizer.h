// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"

#include <concepts>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
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

/// Bytes [begin, end) of a text.
struct Span {
    std::size_t begin = 0, end = 0;
    friend bool operator==(const Span&, const Span&) = default;
};

/// How a control or user-defined token stands in text ("added_tokens" of tokenizer.json).
struct TokenPlace {
    TokenId id = -1;
    bool lstrip = false, rstrip = false; // takes the blanks before, behind it too
    bool single_word = false;            // not beside a letter, digit or underscore
};

/// A vocabulary as files of any format give it.
struct Vocabulary {
    /// tokenizer.ggml.model: "gpt2" (byte-level BPE), "llama" (SentencePiece BPE, merges by score),
    /// "gemma4" (SentencePiece BPE with a list of merges).
    std::string model;
    std::string pre; // tokenizer.ggml.pre: "smollm"; empty where the file names none
    std::vector<std::string> tokens; // as stored: byte-level stand-ins, U+2581 for a blank
    std::vector<std::int32_t> types; // TokenType each; empty: all normal
    std::vector<std::string> merges; // "left right"
    std::vector<std::pair<std::string, std::string>> merge_pairs; // instead: parts may hold blanks
    std::vector<float> scores;      // tokenizer.ggml.scores, for "llama"; empty: all 0
    bool add_space_prefix = true;   // tokenizer.ggml.add_space_prefix, for "llama"; true if missing
    std::vector<TokenPlace> places; // of tokens that have any of its flags
    TokenId bos = -1, eos = -1, eot = -1, unk = -1, pad = -1;
    std::vector<TokenId> more_eog; // further end ids that the file names
    bool add_bos = false;
};

/// Immutable; any thread; needs little stack. Time is linear in the text, but for a factor that
/// grows with the logarithm of its longest word.
class Tokenizer {
  public:
    virtual ~Tokenizer() = default;
    /// Control and user-defined tokens are recognised where they lie wholly inside one of the spans
    /// that are trusted (those that touch or overlap are one); elsewhere their spelling is text,
    /// but for user-defined tokens that are nothing but blanks. What stands between two recognised
    /// tokens is one text, whoever wrote it. No BOS is added. Appends to `out`. Invalid UTF-8
    /// survives bytewise. Spans may be in any order and reach beyond the text.
    virtual void encode(std::string_view text, std::span<const Span> trusted,
                        std::vector<TokenId>& out) const = 0;
    /// parse_special: all of the text is trusted; else nothing of it. (A template, so that nothing
    /// else is taken for a bool, such as an array of spans.)
    template <std::same_as<bool> Bool>
    void encode(std::string_view text, Bool parse_special, std::vector<TokenId>& out) const {
        const Span all{0, text.size()};
        encode(text, std::span<const Span>(&all, parse_special ? 1 : 0), out);
    }
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
    /// encode() puts a blank before a text: whoever decodes a whole text drops one (Detokenizer).
    [[nodiscard]] virtual bool puts_blank_first() const { return false; }
};

/// The text of tokens one after another, from the first of a text on: once, at its very beginning,
/// it drops the blank that encode() puts there. (An answer to a chat is no beginning: its tokens'
/// bytes are its text.) One thread.
class Detokenizer {
  public:
    /// special: as in token_bytes().
    Detokenizer(const Tokenizer& tokenizer, bool special)
        : tokenizer_(tokenizer), special_(special), at_start_(tokenizer.puts_blank_first()) {}
    /// Bytes, of which a character may come in several calls.
    [[nodiscard]] std::string push(TokenId id);

  private:
    const Tokenizer& tokenizer_;
    bool special_, at_start_;
};
[[nodiscard]] std::string decode(const Tokenizer& tokenizer, std::span<const TokenId> ids,
                                 bool special);

/// Checks the vocabulary (special ids in range, types and scores as many as tokens, merges that can
/// be read) and builds the tokenizer. Oddities that do no harm go to `warnings`: ids out of range
/// (taken for none), doubled tokens, merges of what is no ordinary token, bytes without a token, an
/// unknown pre-tokenizer. Marks beyond the n_rows of the model's tables are left out, which is
/// told.
Result<std::unique_ptr<Tokenizer>>
make_tokenizer(Vocabulary vocabulary, std::vector<std::string>& warnings,
               std::size_t n_rows = std::numeric_limits<std::size_t>::max());

/// Names of tokenizer.ggml.pre that are known.
std::vector<std::string_view> known_pre_tokenizers();

} // namespace sotto::tokenizer
