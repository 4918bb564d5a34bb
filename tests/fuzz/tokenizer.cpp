// SPDX-License-Identifier: Apache-2.0
// Any bytes as text: encoding and decoding them gives the same bytes back, with every
// pre-tokenizer and with SentencePiece.
#include "engine/tokenizer/tokenizer.h"

#include <cstdlib>

using namespace sotto::tokenizer;

namespace {

void append_utf8(std::string& out, unsigned code) {
    if (code < 0x80) {
        out += static_cast<char>(code);
        return;
    }
    out += static_cast<char>(0xC0 | (code >> 6));
    out += static_cast<char>(0x80 | (code & 0x3F));
}

// The stand-in characters of byte-level BPE: printable Latin-1 bytes as they are, the others from
// U+0100.
std::vector<std::string> byte_tokens() {
    std::vector<std::string> tokens(256);
    unsigned next = 256;
    for (unsigned byte = 0; byte < 256; ++byte) {
        bool printable = (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte != 0xAD);
        append_utf8(tokens[byte], printable ? byte : next++);
    }
    return tokens;
}

std::unique_ptr<Tokenizer> made_of(Vocabulary vocabulary) {
    std::vector<std::string> warnings;
    auto made = make_tokenizer(std::move(vocabulary), warnings);
    if (!made)
        std::abort(); // these vocabularies are ours
    return std::move(*made);
}

std::unique_ptr<Tokenizer> sentence_piece() {
    Vocabulary vocabulary;
    vocabulary.model = "llama";
    vocabulary.add_space_prefix = false;
    const auto add = [&](std::string token, TokenType type) {
        vocabulary.tokens.push_back(std::move(token));
        vocabulary.types.push_back(static_cast<int>(type));
        vocabulary.scores.push_back(-static_cast<float>(vocabulary.tokens.size()));
    };
    for (unsigned byte = 0; byte < 256; ++byte) {
        const char* hex = "0123456789ABCDEF";
        add({'<', '0', 'x', hex[byte / 16], hex[byte % 16], '>'}, TokenType::byte);
    }
    for (const char* piece : {"the", "th", "t", "h", "e", "12", "1", "\xC3\xA9x", "\xE2\x96\x81"})
        add(piece, TokenType::normal);
    add("  ", TokenType::user_defined);
    add("<s>", TokenType::control);
    return made_of(std::move(vocabulary));
}

std::unique_ptr<Tokenizer> small_tokenizer(std::string_view pre) {
    Vocabulary vocabulary;
    vocabulary.model = "gpt2";
    vocabulary.pre = pre;
    vocabulary.tokens = byte_tokens();
    vocabulary.types.assign(256, static_cast<int>(TokenType::normal));
    for (const char* merge : {"t h", "th e", "i n", "1 2", "\xC4\xA0 a"}) {
        std::string token = merge;
        token.erase(token.find(' '), 1);
        vocabulary.merges.emplace_back(merge);
        vocabulary.tokens.push_back(token);
        vocabulary.types.push_back(static_cast<int>(TokenType::normal));
    }
    vocabulary.tokens.emplace_back("<|end|>");
    vocabulary.types.push_back(static_cast<int>(TokenType::control));
    vocabulary.eos = static_cast<TokenId>(vocabulary.tokens.size()) - 1;
    return made_of(std::move(vocabulary));
}

const std::vector<std::unique_ptr<Tokenizer>>& tokenizers() {
    static const auto all = [] {
        std::vector<std::unique_ptr<Tokenizer>> made;
        for (auto pre : known_pre_tokenizers())
            made.push_back(small_tokenizer(pre));
        made.push_back(sentence_piece());
        return made;
    }();
    return all;
}

void check_round_trip(const Tokenizer& tokenizer, std::string_view text, bool parse_special) {
    std::vector<TokenId> ids;
    tokenizer.encode(text, parse_special, ids);
    std::string back;
    for (auto id : ids)
        back += tokenizer.token_bytes(id, parse_special);
    // To SentencePiece U+2581 is a blank.
    const bool has_mark = text.find("\xE2\x96\x81") != std::string_view::npos;
    if (back != text && !(has_mark && tokenizer.vocabulary().model == "llama"))
        std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view text(reinterpret_cast<const char*>(data), size);
    for (const auto& tokenizer : tokenizers()) {
        check_round_trip(*tokenizer, text, false);
        check_round_trip(*tokenizer, text, true);
    }
    return 0;
}
