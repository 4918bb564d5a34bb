// SPDX-License-Identifier: Apache-2.0
// Text to tokens and back; bpe_vocabulary.cpp and bpe_merges.cpp check and index the vocabulary.
#include "engine/tokenizer/bpe_tokenizer.h"

#include "engine/base/utf8.h"
#include "engine/tokenizer/byte_level.h"
#include "engine/tokenizer/replace.h"
#include "engine/tokenizer/word_merger.h"

#include <algorithm>

namespace sotto::tokenizer {
namespace {

// A longer word is cut: indices of its symbols are 32-bit.
constexpr std::size_t kMaxWordBytes = std::size_t{1} << 30;

} // namespace

struct BpeTokenizer::Work {
    explicit Work(const MergeTable& merges) : merger(merges) {}
    WordMerger merger;
    std::string normalized;
    Pieces words;
    std::vector<TokenId> symbols, merged; // of a word
    std::string spelling;                 // of a word
};

bool BpeTokenizer::is_end_of_turn(TokenId id) const {
    return id >= 0 && static_cast<std::size_t>(id) < end_of_turn_.size() &&
           end_of_turn_[static_cast<std::size_t>(id)];
}

std::string BpeTokenizer::description() const {
    return pipeline_.name + ", " + std::to_string(vocabulary_.tokens.size()) + " tokens";
}

std::string BpeTokenizer::token_bytes(TokenId id, bool special) const {
    if (id < 0 || static_cast<std::size_t>(id) >= vocabulary_.tokens.size()) {
        return {};
    }
    const std::string& text = spelling_of(id);
    const TokenType type = type_of(id);
    if (type == TokenType::control || type == TokenType::unknown || type == TokenType::unused) {
        return special ? text : std::string();
    }
    if (type == TokenType::user_defined && !is_blank(text)) {
        return text; // spelt as it is
    }
    if (of_bytes()) { // as it is, too: what no stand-ins spell
        std::string bytes;
        return type != TokenType::user_defined && bytes_of_stand_ins(text, bytes) ? bytes : text;
    }
    if (const int byte = byte_of_token(text); type == TokenType::byte && byte >= 0) {
        return std::string(1, static_cast<char>(byte));
    }
    std::string bytes = text;
    for (const auto& [from, to] : pipeline_.spellings) {
        std::string replaced;
        append_replaced(bytes, from, to, replaced);
        bytes.swap(replaced);
    }
    return bytes;
}

void BpeTokenizer::encode(std::string_view text, std::span<const Span> trusted,
                          std::vector<TokenId>& out) const {
    const std::vector<Span> spans = joined(trusted, text.size());
    Work work(merges_);
    std::size_t done = 0;
    for (;;) {
        const SpecialTokens::Match match = marks_.find(text, done, spans);
        if (match.id < 0) {
            break;
        }
        encode_plain(text.substr(done, match.begin - done), done == 0, work, out);
        out.push_back(match.id);
        done = match.end;
    }
    encode_plain(text.substr(done), done == 0, work, out);
}

void BpeTokenizer::encode_plain(std::string_view text, bool at_start, Work& work,
                                std::vector<TokenId>& out) const {
    text = pipeline_.normalizer.run(text, work.normalized);
    pipeline_.pre_tokenizer.split(text, at_start, work.words);
    for (std::string_view word : work.words.list) {
        for (; word.size() > kMaxWordBytes; word.remove_prefix(kMaxWordBytes)) {
            encode_around_blanks(word.substr(0, kMaxWordBytes), work, out);
        }
        encode_around_blanks(word, work, out);
    }
}

void BpeTokenizer::encode_around_blanks(std::string_view word, Work& work,
                                        std::vector<TokenId>& out) const {
    std::size_t done = 0;
    for (;;) {
        const SpecialTokens::Match match = blanks_.find(word, done, {});
        if (match.id < 0) {
            break;
        }
        encode_word(word.substr(done, match.begin - done), work, out);
        out.push_back(match.id);
        done = match.end;
    }
    encode_word(word.substr(done), work, out);
}

TokenId BpeTokenizer::find_word(std::string_view word, Work& work) const {
    if (!of_bytes()) {
        return find_text(word);
    }
    work.spelling.clear();
    for (const char c : word) {
        work.spelling += byte_stand_ins()[static_cast<unsigned char>(c)];
    }
    return find_text(work.spelling);
}

void BpeTokenizer::encode_word(std::string_view word, Work& work, std::vector<TokenId>& out) const {
    if (pipeline_.ignore_merges) {
        if (const TokenId id = find_word(word, work); id >= 0) {
            out.push_back(id);
            return;
        }
    }
    work.symbols.clear();
    symbols_of(word, work.symbols);
    if (extra_.empty()) {
        work.merger.run(work.symbols, out);
    } else {
        work.merged.clear();
        work.merger.run(work.symbols, work.merged);
        append_merged(work.merged, out);
    }
}

namespace {

/// UTF-8 has no character with this byte: vocabularies made from text need not know it.
bool is_in_no_character(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte == 0xC0 || byte == 0xC1 || byte >= 0xF5;
}

} // namespace

void BpeTokenizer::symbols_of(std::string_view word, std::vector<TokenId>& symbols) const {
    if (of_bytes()) {
        for (const char c : word) {
            const TokenId id = byte_tokens_[static_cast<unsigned char>(c)];
            if (id >= 0) {
                symbols.push_back(id);
            } else if (is_in_no_character(c)) {
                symbols_of("\uFFFD", symbols); // so that the model sees that something was there
            }
        }
        return;
    }
    while (!word.empty()) {
        const utf8::Decoded d = utf8::decode(word);
        const TokenId id = d.valid ? characters_.find(d.code_point) : -1;
        if (id >= 0) {
            symbols.push_back(id);
        } else {
            fall_back(word.substr(0, d.n_bytes), symbols);
        }
        word.remove_prefix(d.n_bytes);
    }
}

/// Symbols for a character, or part of one, that is no token.
void BpeTokenizer::fall_back(std::string_view bytes, std::vector<TokenId>& symbols) const {
    const auto token = [&](char c) { return byte_tokens_[static_cast<unsigned char>(c)]; };
    if (std::ranges::all_of(bytes, [&](char c) { return token(c) >= 0; })) {
        std::ranges::transform(bytes, std::back_inserter(symbols), token);
        return;
    }
    const bool follows_one = !symbols.empty() && symbols.back() == unknown_;
    if (unknown_ >= 0 && !(pipeline_.fuse_unknown && follows_one)) {
        symbols.push_back(unknown_);
    }
}

void BpeTokenizer::append_merged(std::span<const TokenId> merged, std::vector<TokenId>& out) const {
    for (const TokenId id : merged) {
        const auto index = static_cast<std::size_t>(id);
        if (index < vocabulary_.tokens.size()) {
            out.push_back(id);
        } else {
            fall_back(extra_[index - vocabulary_.tokens.size()], out);
        }
    }
}

} // namespace sotto::tokenizer
