// SPDX-License-Identifier: Apache-2.0
// Checks the tokens of a BPE vocabulary and makes the tables that bpe_tokenizer.cpp works with.
#include "engine/base/message.h"
#include "engine/base/utf8.h"
#include "engine/tokenizer/bpe_tokenizer.h"
#include "engine/tokenizer/byte_level.h"
#include "engine/tokenizer/marks.h"
#include "engine/tokenizer/replace.h"
#include "engine/tokenizer/unicode.h"

#include <algorithm>

namespace sotto::tokenizer {
namespace {

bool in_angle_brackets(std::string_view text) {
    return text.size() > 2 && text.front() == '<' && text.back() == '>';
}

/// Bytes that ordinary text has. Real vocabularies lack some of the others: control characters,
/// bytes that UTF-8 never has or only in planes without characters.
bool is_ordinary(unsigned b) {
    return b == '\t' || b == '\n' || b == '\r' || (b >= 0x20 && b <= 0x7E) ||
           (b >= 0x80 && b <= 0xBF) || (b >= 0xC2 && b <= 0xF0);
}

} // namespace

Result<std::unique_ptr<Tokenizer>> BpeTokenizer::make(Vocabulary vocabulary, Pipeline pipeline,
                                                      std::vector<std::string>& warnings) {
    std::unique_ptr<BpeTokenizer> t(new BpeTokenizer(std::move(vocabulary), std::move(pipeline)));
    t->settle_types(warnings);
    t->index_tokens(warnings);
    t->index_symbols(warnings);
    if (auto done = t->read_merges(warnings); !done) {
        return std::move(done).error();
    }
    t->index_special();
    t->index_blanks();
    t->index_ends();
    return std::unique_ptr<Tokenizer>(std::move(t));
}

TokenType BpeTokenizer::type_of(TokenId id) const {
    return static_cast<TokenType>(vocabulary_.types[static_cast<std::size_t>(id)]);
}

const std::string& BpeTokenizer::spelling_of(TokenId id) const {
    return vocabulary_.tokens[static_cast<std::size_t>(id)];
}

bool BpeTokenizer::is_blank(std::string_view spelling) const {
    while (!spelling.empty()) {
        const bool meta = !of_bytes() && spelling.starts_with(kMetaBlank);
        if (!meta && std::string_view(" \t\r\n").find(spelling[0]) == std::string_view::npos) {
            return false;
        }
        spelling.remove_prefix(meta ? kMetaBlank.size() : 1);
    }
    return true;
}

bool BpeTokenizer::counts_anywhere(TokenId id) const {
    const std::string& text = spelling_of(id);
    return type_of(id) == TokenType::user_defined &&
           (is_blank(text) || (!of_bytes() && !looks_like_mark(text)));
}

bool BpeTokenizer::is_text(TokenId id) const {
    const TokenType type = type_of(id);
    return type == TokenType::normal ||
           (type == TokenType::user_defined && is_blank(spelling_of(id)));
}

TokenId BpeTokenizer::find_text(std::string_view token) const {
    const TokenId id = index_.find(token);
    return id >= 0 && is_text(id) ? id : -1;
}

/// Gives every token a known type. Marks are control tokens whatever the file says: without that a
/// template's marks would be ordinary text to the model.
void BpeTokenizer::settle_types(std::vector<std::string>& warnings) {
    const Vocabulary& v = vocabulary_;
    vocabulary_.types.resize(v.tokens.size(), static_cast<std::int32_t>(TokenType::normal));
    std::size_t n_unknown = 0, n_marks = 0;
    for (std::size_t i = 0; i < v.tokens.size(); ++i) {
        std::int32_t& type = vocabulary_.types[i];
        if (type < 1 || type > 6) {
            type = static_cast<std::int32_t>(TokenType::normal);
            ++n_unknown;
        }
        const TokenType settled = settled_type(static_cast<TokenId>(i));
        n_marks += settled == TokenType::control && type != static_cast<std::int32_t>(settled);
        type = static_cast<std::int32_t>(settled);
    }
    if (n_unknown > 0) {
        warnings.push_back(message::counted(n_unknown, "token") +
                           " of a type that is not known; taken for ordinary text.");
    }
    if (n_marks > 0) {
        warnings.push_back(message::counted(n_marks, "mark") +
                           " such as <|im_end|> not said to be a control token; taken for one.");
    }
}

TokenType BpeTokenizer::settled_type(TokenId id) const {
    const Vocabulary& v = vocabulary_;
    const std::string& text = spelling_of(id);
    const TokenType type = type_of(id);
    const bool is_named = id == v.bos || id == v.eos || id == v.eot;
    const Mark* mark = find_mark(text);
    if (type != TokenType::unknown &&
        ((is_named && in_angle_brackets(text)) || (mark && mark->always_control))) {
        return TokenType::control;
    }
    if (text == "[PAD" + std::to_string(id) + "]" && type != TokenType::control) {
        return TokenType::unused; // converters fill the table up with these
    }
    if (!of_bytes() && type == TokenType::normal) {
        return byte_of_token(text) >= 0                 ? TokenType::byte
               : id == v.unk && in_angle_brackets(text) ? TokenType::unknown
                                                        : type;
    }
    return type;
}

void BpeTokenizer::index_tokens(std::vector<std::string>& warnings) {
    index_.build(vocabulary_.tokens);
    if (index_.n_doubled() > 0) {
        warnings.push_back(message::counted(index_.n_doubled(), "token") +
                           " spelt like one before it; the first of each spelling is used.");
    }
}

/// What words begin as: bytes by their stand-ins, or characters and, for others, byte tokens.
void BpeTokenizer::index_symbols(std::vector<std::string>& warnings) {
    const TokenId unk = vocabulary_.unk;
    unknown_ = unk >= 0 && type_of(unk) == TokenType::unknown ? unk : -1;
    std::size_t n_missing = 0;
    for (unsigned b = 0; b < 256; ++b) {
        byte_tokens_[b] = of_bytes()                ? find_text(byte_stand_ins()[b])
                          : pipeline_.byte_fallback ? index_.find(token_of_byte(b))
                                                    : -1;
        if (byte_tokens_[b] < 0) {
            n_missing += is_ordinary(b) ? 1 : 0;
            byte_tokens_[b] = of_bytes() ? unknown_ : -1;
        }
    }
    if (n_missing > 0 && (of_bytes() || pipeline_.byte_fallback)) {
        warnings.push_back("The vocabulary has no token for " + std::to_string(n_missing) +
                           " of the bytes that text is made of; where they stand, " +
                           (unknown_ >= 0 ? "the unknown token is put." : "they are left out."));
    }
    for (std::size_t i = 0; i < vocabulary_.tokens.size() && !of_bytes(); ++i) {
        const std::string& text = vocabulary_.tokens[i];
        const utf8::Decoded d = text.empty() ? utf8::Decoded{} : utf8::decode(text);
        if (d.valid && d.n_bytes == text.size() && is_text(static_cast<TokenId>(i))) {
            characters_.add(d.code_point, static_cast<TokenId>(i));
        }
    }
}

void BpeTokenizer::index_special() {
    std::vector<SpecialTokens::Token> marks;
    for (std::size_t i = 0; i < vocabulary_.tokens.size(); ++i) {
        const auto id = static_cast<TokenId>(i);
        const TokenType type = type_of(id);
        if (type == TokenType::control || type == TokenType::unknown ||
            type == TokenType::user_defined) {
            const bool anywhere = counts_anywhere(id);
            if (!anywhere || !pipeline_.merges_by_score) {
                marks.push_back({spelling_of(id), id, anywhere, {}});
            }
        }
    }
    for (const TokenPlace& place : vocabulary_.places) {
        const auto it = std::ranges::lower_bound(marks, place.id, {}, &SpecialTokens::Token::id);
        if (it != marks.end() && it->id == place.id) {
            it->place = place;
        }
    }
    marks_ = SpecialTokens(std::move(marks));
}

void BpeTokenizer::index_blanks() {
    std::vector<SpecialTokens::Token> blanks;
    const std::size_t n = pipeline_.merges_by_score ? vocabulary_.tokens.size() : 0;
    for (std::size_t i = 0; i < n; ++i) {
        const auto id = static_cast<TokenId>(i);
        if (counts_anywhere(id)) {
            append_replaced(spelling_of(id), " ", kMetaBlank, blank_spellings_.emplace_back());
            blanks.push_back({{}, id, true, {}});
        }
    }
    for (std::size_t i = 0; i < blanks.size(); ++i) { // now that they stay where they are
        blanks[i].spelling = blank_spellings_[i];
    }
    blanks_ = SpecialTokens(std::move(blanks));
}

void BpeTokenizer::index_ends() {
    end_of_turn_.assign(vocabulary_.tokens.size(), false);
    for (std::size_t i = 0; i < end_of_turn_.size(); ++i) {
        const Mark* mark = find_mark(vocabulary_.tokens[i]);
        end_of_turn_[i] =
            mark && mark->ends_turn && type_of(static_cast<TokenId>(i)) == TokenType::control;
    }
    std::vector<TokenId> ends = vocabulary_.more_eog;
    ends.insert(ends.end(), {vocabulary_.eos, vocabulary_.eot});
    for (const TokenId id : ends) {
        if (id >= 0 && static_cast<std::size_t>(id) < end_of_turn_.size()) {
            end_of_turn_[static_cast<std::size_t>(id)] = true;
        }
    }
}

} // namespace sotto::tokenizer
