// SPDX-License-Identifier: Apache-2.0
// Text to tokens and back; bpe_vocabulary.cpp checks and indexes the vocabulary.
#include "engine/tokenizer/bpe_tokenizer.h"

#include "engine/tokenizer/byte_level.h"
#include "engine/tokenizer/word_merger.h"

namespace sotto::tokenizer {
namespace {

// A longer word is cut: indices of its bytes are 32-bit.
constexpr std::size_t kMaxWordBytes = std::size_t{1} << 30;

} // namespace

struct BpeTokenizer::Work {
    explicit Work(const MergeTable& merges) : merger(merges) {}
    WordMerger merger;
    std::vector<std::string_view> words;
    std::vector<TokenId> bytes; // of a word
    std::string spelling;       // of a word
};

TokenType BpeTokenizer::type_of(TokenId id) const {
    return static_cast<TokenType>(vocabulary_.types[static_cast<std::size_t>(id)]);
}

TokenId BpeTokenizer::find(std::string_view token) const {
    const auto it = ids_.find(token);
    return it == ids_.end() ? -1 : it->second;
}

TokenId BpeTokenizer::find_text(std::string_view token) const {
    const TokenId id = find(token);
    return id >= 0 && type_of(id) == TokenType::normal ? id : -1;
}

bool BpeTokenizer::is_end_of_turn(TokenId id) const {
    return id >= 0 && static_cast<std::size_t>(id) < end_of_turn_.size() &&
           end_of_turn_[static_cast<std::size_t>(id)];
}

std::string BpeTokenizer::description() const {
    return "byte-level BPE (" + std::string(rule_->names.front()) + "), " +
           std::to_string(vocabulary_.tokens.size()) + " tokens";
}

std::string BpeTokenizer::token_bytes(TokenId id, bool special) const {
    if (id < 0 || static_cast<std::size_t>(id) >= vocabulary_.tokens.size()) {
        return {};
    }
    const std::string& text = vocabulary_.tokens[static_cast<std::size_t>(id)];
    const TokenType type = type_of(id);
    if (type == TokenType::control || type == TokenType::unknown || type == TokenType::unused) {
        return special ? text : std::string();
    }
    std::string bytes;
    // User-defined tokens are spelt as they are; so is what no stand-ins spell.
    return type != TokenType::user_defined && bytes_of_stand_ins(text, bytes) ? bytes : text;
}

void BpeTokenizer::encode(std::string_view text, bool parse_special,
                          std::vector<TokenId>& out) const {
    const SpecialTokens& special = parse_special ? marks_ : blanks_;
    Work work(merges_);
    std::size_t done = 0;
    while (done < text.size()) {
        const SpecialTokens::Match match = special.find(text, done);
        if (match.id < 0) {
            break;
        }
        encode_plain(text.substr(done, match.begin - done), work, out);
        out.push_back(match.id);
        done = match.end;
    }
    encode_plain(text.substr(done), work, out);
}

void BpeTokenizer::encode_plain(std::string_view text, Work& work,
                                std::vector<TokenId>& out) const {
    work.words.clear();
    pre_tokenizer_->split(text, work.words);
    for (std::string_view word : work.words) {
        for (; word.size() > kMaxWordBytes; word.remove_prefix(kMaxWordBytes)) {
            encode_word(word.substr(0, kMaxWordBytes), work, out);
        }
        encode_word(word, work, out);
    }
}

void BpeTokenizer::encode_word(std::string_view word, Work& work, std::vector<TokenId>& out) const {
    if (rule_->ignore_merges) {
        work.spelling.clear();
        for (const char c : word) {
            work.spelling += byte_stand_ins()[static_cast<unsigned char>(c)];
        }
        if (const TokenId id = find_text(work.spelling); id >= 0) {
            out.push_back(id);
            return;
        }
    }
    work.bytes.clear();
    for (const char c : word) {
        if (const TokenId id = byte_tokens_[static_cast<unsigned char>(c)]; id >= 0) {
            work.bytes.push_back(id);
        }
    }
    work.merger.run(work.bytes, out);
}

} // namespace sotto::tokenizer
