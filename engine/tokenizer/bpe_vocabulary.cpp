// SPDX-License-Identifier: Apache-2.0
// Checks a byte-level BPE vocabulary and makes the tables that bpe_tokenizer.cpp works with.
#include "engine/base/utf8.h"
#include "engine/tokenizer/bpe_tokenizer.h"
#include "engine/tokenizer/byte_level.h"

#include <algorithm>

namespace sotto::tokenizer {
namespace {

std::string shown(std::string_view text) {
    return "'" + utf8::sanitize(text.substr(0, 60)) + "'";
}

std::string count(std::size_t n, const char* what) {
    return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

// Marks of chats and texts. Files name one end token, their models write any of these that they
// have.
struct Mark {
    std::string_view text;
    bool ends_turn;
};
constexpr Mark kMarks[] = {
    {"<|im_start|>", false},
    {"<|im_end|>", true},
    {"<|start_header_id|>", false},
    {"<|end_header_id|>", false},
    {"<|eot_id|>", true},
    {"<|eom_id|>", true},
    {"<|begin_of_text|>", false},
    {"<|endoftext|>", true},
    {"<|end_of_text|>", true},
    {"<|end|>", true},
    {"<|eot|>", true},
    {"<|end_of_turn|>", true},
    {"<end_of_turn>", true},
    {"</s>", true},
    {"<eos>", true},
};

const Mark* find_mark(std::string_view text) {
    const auto* it = std::ranges::find(kMarks, text, &Mark::text);
    return it == std::end(kMarks) ? nullptr : it;
}

bool in_angle_brackets(std::string_view text) {
    return text.size() > 2 && text.front() == '<' && text.back() == '>';
}

bool is_blank(std::string_view text) {
    return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

/// Bytes that ordinary text has. Real vocabularies lack some of the others: control characters,
/// bytes that UTF-8 never has or only in planes without characters.
bool is_ordinary(unsigned b) {
    return b == '\t' || b == '\n' || b == '\r' || (b >= 0x20 && b <= 0x7E) ||
           (b >= 0x80 && b <= 0xBF) || (b >= 0xC2 && b <= 0xF0);
}

} // namespace

Result<std::unique_ptr<Tokenizer>> BpeTokenizer::make(Vocabulary vocabulary,
                                                      std::vector<std::string>& warnings) {
    std::unique_ptr<BpeTokenizer> t(new BpeTokenizer(std::move(vocabulary)));
    t->settle_types(warnings);
    t->index_tokens(warnings);
    t->index_bytes(warnings);
    if (auto done = t->read_merges(warnings); !done) {
        return std::move(done).error();
    }
    if (auto done = t->choose_rule(warnings); !done) {
        return std::move(done).error();
    }
    t->index_special();
    t->index_ends();
    return std::unique_ptr<Tokenizer>(std::move(t));
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
        const auto id = static_cast<TokenId>(i);
        const bool is_named =
            (id == v.bos || id == v.eos || id == v.eot) && in_angle_brackets(v.tokens[i]);
        const bool is_mark = v.tokens[i].starts_with("<|") && find_mark(v.tokens[i]);
        const auto t = static_cast<TokenType>(type);
        if ((is_named || is_mark) && t != TokenType::control && t != TokenType::unknown) {
            type = static_cast<std::int32_t>(TokenType::control);
            ++n_marks;
        }
    }
    if (n_unknown > 0) {
        warnings.push_back(count(n_unknown, "token") +
                           " of a type that is not known; taken for ordinary text.");
    }
    if (n_marks > 0) {
        warnings.push_back(count(n_marks, "mark") +
                           " such as <|im_end|> not said to be a control token; taken for one.");
    }
}

void BpeTokenizer::index_tokens(std::vector<std::string>& warnings) {
    const std::vector<std::string>& tokens = vocabulary_.tokens;
    std::size_t n_double = 0;
    ids_.reserve(tokens.size());
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        n_double += ids_.emplace(tokens[i], static_cast<TokenId>(i)).second ? 0 : 1;
    }
    if (n_double > 0) {
        warnings.push_back(count(n_double, "token") +
                           " spelt like one before it; the first of each spelling is used.");
    }
}

void BpeTokenizer::index_bytes(std::vector<std::string>& warnings) {
    const bool has_unknown = vocabulary_.unk >= 0 && type_of(vocabulary_.unk) == TokenType::unknown;
    std::size_t n_missing = 0;
    for (unsigned b = 0; b < 256; ++b) {
        byte_tokens_[b] = find_text(byte_stand_ins()[b]);
        if (byte_tokens_[b] < 0) {
            n_missing += is_ordinary(b) ? 1 : 0;
            byte_tokens_[b] = has_unknown ? vocabulary_.unk : -1;
        }
    }
    if (n_missing > 0) {
        warnings.push_back("The vocabulary has no token for " + std::to_string(n_missing) +
                           " of the bytes that text is made of; where they stand, " +
                           (has_unknown ? "the unknown token is put." : "they are left out."));
    }
}

Result<void> BpeTokenizer::read_merges(std::vector<std::string>& warnings) {
    if (vocabulary_.merges.empty()) {
        return Error{
            ErrorCode::bad_file,
            "key 'tokenizer.ggml.merges' is missing or empty: a byte-level BPE tokenizer needs it"};
    }
    std::vector<Merge> merges;
    merges.reserve(vocabulary_.merges.size());
    std::size_t n_useless = 0;
    for (std::size_t rank = 0; rank < vocabulary_.merges.size(); ++rank) {
        const std::string_view merge = vocabulary_.merges[rank];
        // The parts hold no blank; the first character may be anything, so the search begins behind
        // it.
        const std::size_t blank = merge.find(' ', 1);
        if (blank == std::string::npos || blank + 1 == merge.size()) {
            return Error{ErrorCode::bad_file, "merge " + std::to_string(rank) + " is " +
                                                  shown(merge) +
                                                  ", two parts with a blank between are needed"};
        }
        const std::string_view left = merge.substr(0, blank), right = merge.substr(blank + 1);
        const Merge m{find_text(left), find_text(right), static_cast<std::int32_t>(rank),
                      find_text(std::string(left) + std::string(right))};
        if (m.left >= 0 && m.right >= 0 && m.result >= 0) {
            merges.push_back(m);
        } else {
            ++n_useless;
        }
    }
    if (merges.empty()) {
        return Error{ErrorCode::bad_file,
                     "none of the " + count(n_useless, "merge") +
                         " is of ordinary tokens of the vocabulary, which has " +
                         count(vocabulary_.tokens.size(), "token")};
    }
    if (n_useless > 0) {
        warnings.push_back(count(n_useless, "merge") +
                           " of or into what is no ordinary token of the vocabulary; left out.");
    }
    merges_ = MergeTable(std::move(merges), vocabulary_.tokens.size());
    vocabulary_.merges = {};
    return {};
}

Result<void> BpeTokenizer::choose_rule(std::vector<std::string>& warnings) {
    rule_ = find_pre_tokenizer(vocabulary_.pre);
    if (!rule_) {
        rule_ = &pre_tokenizer_rules().front();
        const bool says_nothing = vocabulary_.pre.empty() || vocabulary_.pre == "default";
        warnings.push_back(
            says_nothing
                ? "The file does not say how text is split into words; GPT-2's way is used."
                : "The way text is split into words, " + shown(vocabulary_.pre) +
                      ", is not known; GPT-2's is used.");
    }
    auto made = PreTokenizer::make(*rule_);
    if (!made) {
        return std::move(made).error();
    }
    pre_tokenizer_ = *std::move(made);
    return {};
}

void BpeTokenizer::index_special() {
    std::vector<SpecialTokens::Token> marks, blanks;
    for (std::size_t i = 0; i < vocabulary_.tokens.size(); ++i) {
        const SpecialTokens::Token token{vocabulary_.tokens[i], static_cast<TokenId>(i)};
        const TokenType type = type_of(token.id);
        if (type == TokenType::control || type == TokenType::unknown ||
            type == TokenType::user_defined) {
            marks.push_back(token);
        }
        if (type == TokenType::user_defined && is_blank(token.spelling)) {
            blanks.push_back(token);
        }
    }
    marks_ = SpecialTokens(std::move(marks));
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
