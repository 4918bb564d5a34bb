// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/tokenizer/merge_table.h"
#include "engine/tokenizer/pipeline.h"
#include "engine/tokenizer/special_tokens.h"
#include "engine/tokenizer/token_index.h"
#include "engine/tokenizer/tokenizer.h"

#include <array>
#include <utility>

namespace sotto::tokenizer {

/// BPE over bytes or over characters: words from the pre-tokenizer, each begun as one token a byte
/// or character, neighbours merged by rank or by the score of what they become. A byte or character
/// that the vocabulary has no token for becomes the unknown token if that is of the type "unknown",
/// else nothing: it must never become a control token.
///
/// What people write never gives a control or unused token, nor a user-defined one, save those that
/// are nothing but blanks: they are text (indents) and cannot be taken for a mark. SentencePiece
/// vocabularies have words of text among them (Gemma's <h1>, <table>): there all but those that
/// look like a chat's marks count. (llama.cpp gives user-defined tokens always, so that a person
/// who writes "<think>" writes the model's mark.)
class BpeTokenizer final : public Tokenizer {
  public:
    static Result<std::unique_ptr<Tokenizer>> make(Vocabulary vocabulary, Pipeline pipeline,
                                                   std::vector<std::string>& warnings);

    using Tokenizer::encode;
    void encode(std::string_view text, std::span<const Span> trusted,
                std::vector<TokenId>& out) const override;
    [[nodiscard]] std::string token_bytes(TokenId id, bool special) const override;
    [[nodiscard]] TokenId find(std::string_view token) const override { return index_.find(token); }
    [[nodiscard]] const Vocabulary& vocabulary() const override { return vocabulary_; }
    [[nodiscard]] bool is_end_of_turn(TokenId id) const override;
    [[nodiscard]] std::string description() const override;
    [[nodiscard]] bool puts_blank_first() const override { return pipeline_.puts_blank_first; }

  private:
    struct Work; // what one call of encode needs

    BpeTokenizer(Vocabulary vocabulary, Pipeline pipeline)
        : vocabulary_(std::move(vocabulary)), pipeline_(std::move(pipeline)) {}
    // bpe_vocabulary.cpp
    void settle_types(std::vector<std::string>& warnings);
    [[nodiscard]] TokenType settled_type(TokenId id) const;
    void index_tokens(std::vector<std::string>& warnings);
    void index_symbols(std::vector<std::string>& warnings);
    void index_special();
    void index_blanks();
    void index_ends();
    // bpe_merges.cpp
    Result<void> read_merges(std::vector<std::string>& warnings);
    Result<std::vector<Merge>> merges_of_list(std::size_t& n_useless) const;
    std::vector<Merge> merges_by_score(std::vector<std::string>& warnings);
    [[nodiscard]] std::vector<std::int32_t> ranks_by_score() const;
    void add_splits(TokenId id, std::int32_t rank, std::vector<Merge>& merges);
    [[nodiscard]] TokenId symbol_of(std::string_view spelling);

    [[nodiscard]] bool of_bytes() const { return pipeline_.symbols == Pipeline::Symbols::bytes; }
    [[nodiscard]] TokenType type_of(TokenId id) const;
    [[nodiscard]] const std::string& spelling_of(TokenId id) const;
    /// Whether ordinary text may become this token, blanks that are user-defined included.
    [[nodiscard]] bool is_text(TokenId id) const;
    /// A user-defined token that is recognised in what people write.
    [[nodiscard]] bool counts_anywhere(TokenId id) const;
    [[nodiscard]] bool is_blank(std::string_view spelling) const;
    /// The id of a token that ordinary text may become, else -1.
    [[nodiscard]] TokenId find_text(std::string_view token) const;

    void encode_plain(std::string_view text, bool at_start, Work& work,
                      std::vector<TokenId>& out) const;
    void encode_around_blanks(std::string_view word, Work& work, std::vector<TokenId>& out) const;
    void encode_word(std::string_view word, Work& work, std::vector<TokenId>& out) const;
    [[nodiscard]] TokenId find_word(std::string_view word, Work& work) const;
    void symbols_of(std::string_view word, std::vector<TokenId>& symbols) const;
    void fall_back(std::string_view bytes, std::vector<TokenId>& symbols) const;
    void append_merged(std::span<const TokenId> merged, std::vector<TokenId>& out) const;

    Vocabulary vocabulary_;
    Pipeline pipeline_;
    TokenIndex index_;                       // views into vocabulary_.tokens
    std::array<TokenId, 256> byte_tokens_{}; // -1: none
    TokenId unknown_ = -1;                   // for what has no token; -1: nothing
    CharacterIndex characters_;              // those that have a token, and extra_
    // Characters without a token that are part of longer tokens: symbols n_tokens, n_tokens + 1 ...
    std::vector<std::string> extra_;
    MergeTable merges_;
    SpecialTokens marks_; // control, unknown and user-defined tokens, found first
    // SentencePiece finds blanks that are user-defined after it has put its blank first and written
    // U+2581 for blanks: here they are, spelt so.
    std::vector<std::string> blank_spellings_;
    SpecialTokens blanks_;
    std::vector<bool> end_of_turn_;
};

} // namespace sotto::tokenizer
