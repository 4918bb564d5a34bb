// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/tokenizer/json_fields.h"
#include "engine/tokenizer/tokenizer.h"

namespace sotto::tokenizer {

/// Builds a vocabulary from the parts of tokenizer.json and tokenizer_config.json. Mistakes go to
/// `fields` of the file they are in.
class JsonVocabulary {
  public:
    explicit JsonVocabulary(std::vector<std::string>& warnings) : warnings_(warnings) {}

    /// model.vocab, model.merges, added_tokens.
    void read(json::Value root, JsonFields& fields);
    /// The token that is put before a text, "" for none.
    void set_first(std::string_view token);
    /// tokenizer_config.json: bos_token and so on.
    void read_config(json::Value config, JsonFields& fields);
    /// The token that stands for what has none.
    void set_unknown(std::string_view token);
    [[nodiscard]] Vocabulary take();

  private:
    void read_tokens(json::Value vocab, std::size_t n_added, JsonFields& fields);
    void read_merges(json::Value merges, JsonFields& fields);
    void add_token(TokenId id, json::Value token, JsonFields& fields);
    [[nodiscard]] bool in_bounds(std::int64_t id, std::string_view token, JsonFields& fields) const;
    [[nodiscard]] TokenId find(std::string_view token) const;
    [[nodiscard]] bool is_added(TokenId id) const;
    [[nodiscard]] TokenId named(json::Value config, std::string_view key, JsonFields& fields) const;

    std::vector<std::string>& warnings_;
    Vocabulary vocabulary_;
    std::optional<json::Value> vocab_; // model.vocab
    std::size_t max_tokens_ = 0;
    std::size_t n_left_out_ = 0;
};

} // namespace sotto::tokenizer
