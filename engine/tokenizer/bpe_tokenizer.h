// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/tokenizer/merge_table.h"
#include "engine/tokenizer/pre_tokenizer.h"
#include "engine/tokenizer/special_tokens.h"
#include "engine/tokenizer/tokenizer.h"

#include <array>
#include <unordered_map>
#include <utility>

namespace sotto::tokenizer {

/// Byte-level BPE: words from the pre-tokenizer, each begun as one token a byte, neighbours merged
/// by rank. A byte that the vocabulary has no token for becomes the unknown token if that is of the
/// type "unknown", else nothing: it must never become a control token.
///
/// What people write never gives a control or unused token, nor a user-defined one, save those that
/// are nothing but blanks: they are text (indents) and cannot be taken for a mark. (llama.cpp gives
/// user-defined tokens always, so that a person who writes "<think>" writes the model's mark.)
class BpeTokenizer final : public Tokenizer {
  public:
    static Result<std::unique_ptr<Tokenizer>> make(Vocabulary vocabulary,
                                                   std::vector<std::string>& warnings);

    void encode(std::string_view text, bool parse_special,
                std::vector<TokenId>& out) const override;
    [[nodiscard]] std::string token_bytes(TokenId id, bool special) const override;
    [[nodiscard]] TokenId find(std::string_view token) const override;
    [[nodiscard]] const Vocabulary& vocabulary() const override { return vocabulary_; }
    [[nodiscard]] bool is_end_of_turn(TokenId id) const override;
    [[nodiscard]] std::string description() const override;

  private:
    struct Work; // what one call of encode needs

    explicit BpeTokenizer(Vocabulary vocabulary) : vocabulary_(std::move(vocabulary)) {}
    void settle_types(std::vector<std::string>& warnings);
    void index_tokens(std::vector<std::string>& warnings);
    void index_bytes(std::vector<std::string>& warnings);
    Result<void> read_merges(std::vector<std::string>& warnings);
    Result<void> choose_rule(std::vector<std::string>& warnings);
    void index_special();
    void index_ends();
    [[nodiscard]] TokenType type_of(TokenId id) const;
    /// The id of a token that ordinary text may become, else -1.
    [[nodiscard]] TokenId find_text(std::string_view token) const;
    void encode_plain(std::string_view text, Work& work, std::vector<TokenId>& out) const;
    void encode_word(std::string_view word, Work& work, std::vector<TokenId>& out) const;

    Vocabulary vocabulary_;
    std::unordered_map<std::string_view, TokenId> ids_; // views into vocabulary_.tokens
    std::array<TokenId, 256> byte_tokens_{};            // -1: none
    MergeTable merges_;
    const PreTokenizerRule* rule_ = nullptr;
    std::unique_ptr<PreTokenizer> pre_tokenizer_;
    SpecialTokens marks_;  // control, unknown and user-defined tokens
    SpecialTokens blanks_; // user-defined tokens of blanks alone
    std::vector<bool> end_of_turn_;
};

} // namespace sotto::tokenizer
