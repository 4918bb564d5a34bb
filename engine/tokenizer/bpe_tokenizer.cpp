// SPDX-License-Identifier: Apache-2.0
#include "engine/tokenizer/bpe_tokenizer.h"

#include "engine/base/utf8.h"
#include "engine/tokenizer/byte_level.h"

#include <algorithm>
#include <queue>

namespace sotto::tokenizer {
namespace {

Error bad(std::string message) { return {ErrorCode::bad_file, std::move(message)}; }

std::string shown(std::string_view text) { return "'" + utf8::sanitize(text.substr(0, 60)) + "'"; }

// Texts of control tokens that end a turn or the text in one family or another: files name one end
// token, their models write any of them.
constexpr std::string_view kEndMarks[] = {"<|im_end|>",   "<|eot_id|>",        "<|eom_id|>", "<|endoftext|>",
                                          "<|end_of_text|>", "<|end|>",         "<end_of_turn>", "<|eot|>",
                                          "</s>",         "<eos>",             "<|end_of_turn|>"};

} // namespace

Result<std::unique_ptr<Tokenizer>> BpeTokenizer::make(Vocabulary vocabulary, std::vector<std::string>& warnings) {
    std::unique_ptr<BpeTokenizer> t(new BpeTokenizer(std::move(vocabulary)));
    if (auto done = t->index(warnings); !done) {
        return std::move(done).error();
    }
    if (auto done = t->read_merges(); !done) {
        return std::move(done).error();
    }
    if (auto done = t->choose_rule(warnings); !done) {
        return std::move(done).error();
    }
    t->index_special();
    return std::unique_ptr<Tokenizer>(std::move(t));
}

Result<void> BpeTokenizer::index(std::vector<std::string>& warnings) {
    const std::vector<std::string>& tokens = vocabulary_.tokens;
    std::size_t n_double = 0;
    ids_.reserve(tokens.size());
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        n_double += ids_.emplace(tokens[i], static_cast<TokenId>(i)).second ? 0 : 1;
    }
    if (n_double > 0) {
        warnings.push_back(std::to_string(n_double) + " tokens are in the vocabulary more than once; the first of each is used.");
    }
    std::size_t n_missing = 0;
    for (std::size_t b = 0; b < 256; ++b) {
        byte_tokens_[b] = find(byte_stand_ins()[b]);
        // Real vocabularies lack some bytes that UTF-8 hardly uses; a lack of plain text is worth a word.
        n_missing += byte_tokens_[b] < 0 && b < 0x80 && b >= 0x20 ? 1 : 0;
    }
    if (n_missing > 0) {
        warnings.push_back("The vocabulary has no token for " + std::to_string(n_missing) + " of the 96 plain characters; text that needs them loses them.");
    }
    return {};
}

Result<void> BpeTokenizer::read_merges() {
    if (vocabulary_.merges.empty()) {
        return bad("key 'tokenizer.ggml.merges' is missing or empty: a byte-level BPE tokenizer needs it");
    }
    std::int32_t rank = 0;
    for (const std::string& merge : vocabulary_.merges) {
        // The parts hold no blank; the first character may be anything, so the search begins behind it.
        const std::size_t blank = merge.find(' ', 1);
        if (blank == std::string::npos || blank + 1 == merge.size()) {
            return bad("merge " + std::to_string(rank) + " is " + shown(merge) + ", two parts with a blank between are needed");
        }
        const std::string_view left = std::string_view(merge).substr(0, blank);
        const std::string_view right = std::string_view(merge).substr(blank + 1);
        const TokenId l = find(left), r = find(right), both = find(std::string(left) + std::string(right));
        // A merge whose parts or result are no tokens can never happen; some converters leave such.
        if (l >= 0 && r >= 0 && both >= 0) {
            merges_.add(l, r, rank, both);
        }
        ++rank;
    }
    vocabulary_.merges = {};
    return {};
}

Result<void> BpeTokenizer::choose_rule(std::vector<std::string>& warnings) {
    rule_ = find_pre_tokenizer(vocabulary_.pre);
    if (!rule_) {
        rule_ = &pre_tokenizer_rules().front();
        warnings.push_back(vocabulary_.pre.empty() ? "The file does not say how text is split into words; GPT-2's way is used."
                                                   : "The way text is split into words, " + shown(vocabulary_.pre) + ", is not known; GPT-2's is used.");
    }
    auto made = PreTokenizer::make(*rule_);
    if (!made) {
        return std::move(made).error();
    }
    pre_tokenizer_ = *std::move(made);
    return {};
}

void BpeTokenizer::index_special() {
    const auto n = static_cast<TokenId>(vocabulary_.tokens.size());
    end_of_turn_.assign(vocabulary_.tokens.size(), false);
    for (TokenId id = 0; id < n; ++id) {
        const std::string& text = vocabulary_.tokens[static_cast<std::size_t>(id)];
        const TokenType type = type_of(id);
        if (type == TokenType::control || type == TokenType::user_defined) {
            special_.add(text, id);
        }
        if (type == TokenType::control && std::ranges::find(kEndMarks, text) != std::end(kEndMarks)) {
            end_of_turn_[static_cast<std::size_t>(id)] = true;
        }
    }
    std::vector<TokenId> ends = vocabulary_.more_eog;
    ends.insert(ends.end(), {vocabulary_.eos, vocabulary_.eot});
    for (const TokenId id : ends) {
        if (id >= 0 && id < n) {
            end_of_turn_[static_cast<std::size_t>(id)] = true;
        }
    }
}

TokenType BpeTokenizer::type_of(TokenId id) const {
    return vocabulary_.types.empty() ? TokenType::normal : static_cast<TokenType>(vocabulary_.types[static_cast<std::size_t>(id)]);
}

TokenId BpeTokenizer::find(std::string_view token) const {
    const auto it = ids_.find(token);
    return it == ids_.end() ? -1 : it->second;
}

bool BpeTokenizer::is_end_of_turn(TokenId id) const {
    return id >= 0 && static_cast<std::size_t>(id) < end_of_turn_.size() && end_of_turn_[static_cast<std::size_t>(id)];
}

std::string BpeTokenizer::description() const {
    return "byte-level BPE (" + std::string(rule_->names.front()) + "), " + std::to_string(vocabulary_.tokens.size()) + " tokens";
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

void BpeTokenizer::encode(std::string_view text, bool parse_special, std::vector<TokenId>& out) const {
    std::size_t done = 0;
    while (parse_special && done < text.size()) {
        const SpecialTokens::Match match = special_.find(text, done);
        if (match.id < 0) {
            break;
        }
        encode_plain(text.substr(done, match.begin - done), out);
        out.push_back(match.id);
        done = match.end;
    }
    encode_plain(text.substr(done), out);
}

void BpeTokenizer::encode_plain(std::string_view text, std::vector<TokenId>& out) const {
    if (text.empty()) {
        return;
    }
    std::vector<std::string_view> words;
    pre_tokenizer_->split(text, words);
    for (const std::string_view word : words) {
        encode_word(word, out);
    }
}

namespace {

/// A token of a word that is being merged, in a doubly linked list.
struct Symbol {
    TokenId id;
    std::int32_t previous, next; // -1: none
};

struct Candidate {
    std::int32_t rank, left;     // index of the left symbol
    TokenId left_id, right_id;   // as they were when this was found: it is stale if they changed
    TokenId result;

    // The lowest rank first, then the leftmost.
    friend bool operator<(const Candidate& a, const Candidate& b) {
        return a.rank > b.rank || (a.rank == b.rank && a.left > b.left);
    }
};

/// Merges the neighbours of a word in order of rank: n log n for n bytes.
class WordMerger {
  public:
    WordMerger(const MergeTable& merges, std::vector<Symbol> symbols) : merges_(merges), symbols_(std::move(symbols)) {}

    void run(std::vector<TokenId>& out) {
        for (std::int32_t i = 0; i + 1 < static_cast<std::int32_t>(symbols_.size()); ++i) {
            consider(i);
        }
        while (!queue_.empty()) {
            const Candidate c = queue_.top();
            queue_.pop();
            apply(c);
        }
        for (std::int32_t i = symbols_.empty() ? -1 : 0; i >= 0; i = at(i).next) {
            out.push_back(at(i).id);
        }
    }

  private:
    Symbol& at(std::int32_t i) { return symbols_[static_cast<std::size_t>(i)]; }

    void consider(std::int32_t left) {
        const std::int32_t right = left < 0 ? -1 : at(left).next;
        if (right < 0) {
            return;
        }
        if (const MergeTable::Merge* m = merges_.find(at(left).id, at(right).id)) {
            queue_.push({m->rank, left, at(left).id, at(right).id, m->result});
        }
    }

    void apply(const Candidate& c) {
        Symbol& left = at(c.left);
        if (left.id != c.left_id || left.next < 0 || at(left.next).id != c.right_id) {
            return;
        }
        Symbol& right = at(left.next);
        left.id = c.result;
        left.next = right.next;
        right.id = -1; // no candidate matches it any more
        if (left.next >= 0) {
            at(left.next).previous = c.left;
        }
        consider(left.previous);
        consider(c.left);
    }

    const MergeTable& merges_;
    std::vector<Symbol> symbols_;
    std::priority_queue<Candidate> queue_;
};

} // namespace

void BpeTokenizer::encode_word(std::string_view word, std::vector<TokenId>& out) const {
    if (rule_->ignore_merges) {
        std::string spelling;
        for (const char c : word) {
            spelling += byte_stand_ins()[static_cast<unsigned char>(c)];
        }
        if (const TokenId id = find(spelling); id >= 0) {
            out.push_back(id);
            return;
        }
    }
    std::vector<Symbol> symbols;
    symbols.reserve(word.size());
    for (const char c : word) {
        TokenId id = byte_tokens_[static_cast<unsigned char>(c)];
        if (id < 0) {
            id = vocabulary_.unk;
        }
        if (id >= 0) {
            const auto n = static_cast<std::int32_t>(symbols.size());
            symbols.push_back({id, n - 1, n + 1});
        }
    }
    if (symbols.empty()) {
        return;
    }
    symbols.back().next = -1;
    WordMerger(merges_, std::move(symbols)).run(out);
}

} // namespace sotto::tokenizer
