// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/tokenizer/merge_table.h"
#include "engine/tokenizer/pre_tokenizer.h"
#include "engine/tokenizer/special_tokens.h"
#include "engine/tokenizer/tokenizer.h"

#include <array>
#include <unordered_map>

namespace sotto::tokenizer {

/// Byte-level BPE: words from the pre-tokenizer, each begun as one token a byte, neighbours merged by
/// rank. A byte that the vocabulary has no token for becomes the unknown token, or nothing without one.
class BpeTokenizer final : public Tokenizer {
  public:
    static Result<std::unique_ptr<Tokenizer>> make(Vocabulary vocabulary, std::vector<std::string>& warnings);

    void encode(std::string_view text, bool parse_special, std::vector<TokenId>& out) const override;
    [[nodiscard]] std::string token_bytes(TokenId id, bool special) const override;
    [[nodiscard]] TokenId find(std::string_view token) const override;
    [[nodiscard]] const Vocabulary& vocabulary() const override { return vocabulary_; }
    [[nodiscard]] bool is_end_of_turn(TokenId id) const override;
    [[nodiscard]] std::string description() const override;

  private:
    BpeTokenizer(Vocabulary vocabulary) : vocabulary_(std::move(vocabulary)), merges_(vocabulary_.merges.size()) {}
    Result<void> index(std::vector<std::string>& warnings);
    Result<void> read_merges();
    Result<void> choose_rule(std::vector<std::string>& warnings);
    void index_special();
    [[nodiscard]] TokenType type_of(TokenId id) const;
    void encode_plain(std::string_view text, std::vector<TokenId>& out) const;
    void encode_word(std::string_view word, std::vector<TokenId>& out) const;

    Vocabulary vocabulary_;
    std::unordered_map<std::string_view, TokenId> ids_; // views into vocabulary_.tokens
    std::array<TokenId, 256> byte_tokens_{};
    MergeTable merges_;
    const PreTokenizerRule* rule_ = nullptr;
    std::unique_ptr<PreTokenizer> pre_tokenizer_;
    SpecialTokens special_;
    std::vector<bool> end_of_turn_;
};

} // namespace sotto::tokenizer
