// SPDX-License-Identifier: Apache-2.0
#include "engine/tokenizer/json_vocabulary.h"

#include "engine/base/message.h"

#include <algorithm>
#include <charconv>

namespace sotto::tokenizer {
namespace {

// Ids may have gaps, but a short file must not ask for a long table.
constexpr std::size_t kMaxGap = 1024;

} // namespace

void JsonVocabulary::read(json::Value root, JsonFields& fields) {
    const auto model = fields.find(root, "model", json::Kind::object);
    const auto vocab = model ? fields.find(*model, "vocab", json::Kind::object) : std::nullopt;
    const auto merges = model ? fields.find(*model, "merges", json::Kind::array) : std::nullopt;
    const auto added = fields.find(root, "added_tokens", json::Kind::array);
    if (!vocab || !merges) {
        fields.fail(ErrorCode::bad_file, "the model has no 'vocab' or no 'merges'");
        return;
    }
    vocab_ = *vocab;
    read_tokens(*vocab, added ? added->size() : 0, fields);
    read_merges(*merges, fields);
    for (std::size_t i = 0; added && i < added->size(); ++i) {
        const std::int64_t id = fields.integer(added->at(i), "id", -1);
        if (in_bounds(id, fields.string(added->at(i), "content"), fields)) {
            add_token(static_cast<TokenId>(id), added->at(i), fields);
        }
    }
}

bool JsonVocabulary::in_bounds(std::int64_t id, std::string_view token, JsonFields& fields) const {
    const bool ok = id >= 0 && static_cast<std::uint64_t>(id) < max_tokens_;
    if (!ok) {
        fields.fail(ErrorCode::bad_file, "token " + message::quoted(token) + " has the id " +
                                             std::to_string(id) + ", 0 to " +
                                             std::to_string(max_tokens_ - 1) + " are allowed here");
    }
    return ok;
}

void JsonVocabulary::read_tokens(json::Value vocab, std::size_t n_added, JsonFields& fields) {
    Vocabulary& v = vocabulary_;
    max_tokens_ = 2 * (vocab.size() + n_added) + kMaxGap;
    std::size_t n_tokens = 0, n_double = 0;
    for (std::size_t i = 0; i < vocab.size(); ++i) {
        const json::Value id = vocab.at(i);
        if (!in_bounds(id.is(json::Kind::integer) ? id.integer() : -1, vocab.key(i), fields)) {
            return;
        }
        n_tokens = std::max(n_tokens, static_cast<std::size_t>(id.integer()) + 1);
    }
    v.tokens.resize(n_tokens);
    for (std::size_t i = 0; i < vocab.size(); ++i) {
        std::string& token = v.tokens[static_cast<std::size_t>(vocab.at(i).integer())];
        n_double += token.empty() ? 0 : 1;
        token = std::string(vocab.key(i));
    }
    if (n_double > 0) {
        warnings_.push_back("Ids that several tokens have: " + std::to_string(n_double) +
                            "; the last token of each is used.");
    }
    v.types.resize(n_tokens);
    std::ranges::transform(v.tokens, v.types.begin(), [](const std::string& token) {
        return static_cast<std::int32_t>(token.empty() ? TokenType::unused : TokenType::normal);
    });
}

void JsonVocabulary::read_merges(json::Value merges, JsonFields& fields) {
    for (std::size_t i = 0; i < merges.size(); ++i) {
        const json::Value merge = merges.at(i);
        if (merge.is(json::Kind::string)) {
            vocabulary_.merges.emplace_back(merge.string());
        } else if (merge.is(json::Kind::array) && merge.size() == 2 &&
                   merge.at(0).is(json::Kind::string) && merge.at(1).is(json::Kind::string)) {
            vocabulary_.merge_pairs.emplace_back(merge.at(0).string(), merge.at(1).string());
        } else {
            fields.fail(ErrorCode::bad_file,
                        "merge " + std::to_string(i) + " is neither a string nor two strings");
            return;
        }
    }
    if (!vocabulary_.merges.empty() && !vocabulary_.merge_pairs.empty()) {
        fields.fail(ErrorCode::bad_file, "merges are partly strings, partly pairs");
    }
}

/// A token of "added_tokens" or "added_tokens_decoder". Its id is the one that the vocabulary gives
/// its spelling, if it does.
void JsonVocabulary::add_token(TokenId id, json::Value token, JsonFields& fields) {
    Vocabulary& v = vocabulary_;
    const std::string_view content = fields.string(token, "content");
    if (const auto known = vocab_ ? vocab_->find(content) : std::nullopt) {
        id = static_cast<TokenId>(known->integer());
    }
    const bool taken = static_cast<std::size_t>(id) < v.tokens.size() &&
                       !v.tokens[static_cast<std::size_t>(id)].empty() &&
                       v.tokens[static_cast<std::size_t>(id)] != content;
    if (content.empty() || taken) {
        n_left_out_ += taken ? 1 : 0;
        return;
    }
    const auto index = static_cast<std::size_t>(id);
    if (index >= v.tokens.size()) {
        v.tokens.resize(index + 1);
        v.types.resize(index + 1, static_cast<std::int32_t>(TokenType::unused));
    }
    v.tokens[index] = std::string(content);
    v.types[index] = static_cast<std::int32_t>(
        fields.boolean(token, "special", false) ? TokenType::control : TokenType::user_defined);
    const TokenPlace place{id, fields.boolean(token, "lstrip", false),
                           fields.boolean(token, "rstrip", false),
                           fields.boolean(token, "single_word", false)};
    if (place.lstrip || place.rstrip || place.single_word) {
        v.places.push_back(place);
    }
}

TokenId JsonVocabulary::find(std::string_view token) const {
    const auto it = std::ranges::find(vocabulary_.tokens, token);
    return token.empty() || it == vocabulary_.tokens.end()
               ? -1
               : static_cast<TokenId>(it - vocabulary_.tokens.begin());
}

/// A token is named by its text, or by an object that has it as "content".
TokenId JsonVocabulary::named(json::Value config, std::string_view key, JsonFields& fields) const {
    const auto value = config.find(key);
    if (value && value->is(json::Kind::object)) {
        return find(fields.string(*value, "content"));
    }
    return find(fields.string(config, key));
}

void JsonVocabulary::read_config(json::Value config, JsonFields& fields) {
    Vocabulary& v = vocabulary_;
    if (const auto added = fields.find(config, "added_tokens_decoder", json::Kind::object)) {
        for (std::size_t i = 0; i < added->size(); ++i) {
            const std::string_view key = added->key(i);
            TokenId id = -1;
            std::from_chars(key.data(), key.data() + key.size(), id);
            if (in_bounds(id, key, fields) && !is_added(id)) {
                add_token(id, added->at(i), fields);
            }
        }
    }
    const TokenId bos = named(config, "bos_token", fields);
    v.bos = v.bos < 0 ? bos : v.bos;
    v.add_bos = fields.boolean(config, "add_bos_token", v.add_bos) && v.bos >= 0;
    v.eos = named(config, "eos_token", fields);
    v.unk = named(config, "unk_token", fields);
    v.pad = named(config, "pad_token", fields);
}

/// Whether "added_tokens" had it.
bool JsonVocabulary::is_added(TokenId id) const {
    const auto index = static_cast<std::size_t>(id);
    return index < vocabulary_.types.size() &&
           (vocabulary_.types[index] == static_cast<std::int32_t>(TokenType::control) ||
            vocabulary_.types[index] == static_cast<std::int32_t>(TokenType::user_defined));
}

void JsonVocabulary::set_first(std::string_view token) {
    vocabulary_.bos = find(token);
    vocabulary_.add_bos = vocabulary_.bos >= 0;
}

Vocabulary JsonVocabulary::take() {
    if (n_left_out_ > 0) {
        warnings_.push_back("Added tokens that have another token's id: " +
                            std::to_string(n_left_out_) + "; they are left out.");
    }
    return std::move(vocabulary_);
}

void JsonVocabulary::set_unknown(std::string_view token) {
    Vocabulary& v = vocabulary_;
    const TokenId id = find(token);
    if (id >= 0 && id != v.bos && id != v.eos) { // some models' unknown token ends a text
        v.unk = id;
        v.types[static_cast<std::size_t>(id)] = static_cast<std::int32_t>(TokenType::unknown);
    }
}

} // namespace sotto::tokenizer
