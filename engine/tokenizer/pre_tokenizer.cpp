// SPDX-License-Identifier: Apache-2.0
#include "engine/tokenizer/pre_tokenizer.h"

#include "engine/base/utf8.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <algorithm>
#include <string>

namespace sotto::tokenizer {
namespace {

// The patterns match what the originals match. Repeats that are followed by something they cannot
// contain are possessive (++), so that a long run is never walked back.
//
// GPT-2: contractions; words, numbers and other marks with one space before; blanks but the last one
// before a word; blanks. "\s++(?!\S)" would never match before a word, so that repeat stays greedy: it
// gives back one character and is done.
constexpr const char* kGpt2 = R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s+(?!\S)|\s++)";
constexpr const char* kDigits = R"(\p{N})";
// Llama 3 and Qwen 2 differ in how many digits stay together. "\s*[\r\n]+" backs up to the last line
// end of a run of blanks; it is written as two possessive parts: blanks that are no line ends, then a
// line end, repeated.
constexpr const char* kLlama3 =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|(?:[^\S\r\n]*+[\r\n]++)++|\s+(?!\S)|\s++)";
constexpr const char* kQwen2 =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}| ?[^\s\p{L}\p{N}]++[\r\n]*+|(?:[^\S\r\n]*+[\r\n]++)++|\s+(?!\S)|\s++)";

/// Cuts text into valid UTF-8 and parts that are none. Checked once here: the library would check the
/// whole rest of the text at every match.
void cut_at_invalid(std::string_view text, std::vector<std::string_view>& pieces) {
    std::size_t begin = 0;
    for (std::size_t at = 0; at < text.size();) {
        const utf8::Decoded d = utf8::decode(text.substr(at));
        if (!d.valid) {
            if (at > begin) {
                pieces.push_back(text.substr(begin, at - begin));
            }
            pieces.push_back(text.substr(at, d.n_bytes));
            begin = at + d.n_bytes;
        }
        at += d.n_bytes;
    }
    if (begin < text.size()) {
        pieces.push_back(text.substr(begin));
    }
}

struct CodeFree {
    void operator()(pcre2_code* code) const { pcre2_code_free(code); }
};
struct MatchFree {
    void operator()(pcre2_match_data* data) const { pcre2_match_data_free(data); }
};

} // namespace

const std::vector<PreTokenizerRule>& pre_tokenizer_rules() {
    static const std::vector<PreTokenizerRule> rules = {
        {{"gpt-2", "gpt2", "default"}, {kGpt2}, false},
        {{"smollm"}, {kDigits, kGpt2}, false},
        {{"llama-bpe", "llama3", "llama-v3"}, {kLlama3}, true},
        {{"qwen2"}, {kQwen2}, false},
    };
    return rules;
}

const PreTokenizerRule* find_pre_tokenizer(std::string_view name) {
    for (const PreTokenizerRule& rule : pre_tokenizer_rules()) {
        if (std::ranges::find(rule.names, name) != rule.names.end()) {
            return &rule;
        }
    }
    return nullptr;
}

struct PreTokenizer::Pattern {
    std::unique_ptr<pcre2_code, CodeFree> code;

    /// Valid UTF-8 only: appends the matches and what lies between them.
    void split(std::string_view text, std::vector<std::string_view>& pieces) const;
};

void PreTokenizer::Pattern::split(std::string_view text, std::vector<std::string_view>& pieces) const {
    const std::unique_ptr<pcre2_match_data, MatchFree> match(pcre2_match_data_create(1, nullptr));
    const auto* subject = reinterpret_cast<PCRE2_SPTR>(text.data());
    std::size_t done = 0;
    while (done < text.size()) {
        // Without JIT: its own stack is small, and the interpreter's memory is on the heap.
        const int n = pcre2_match(code.get(), subject, text.size(), done, PCRE2_NO_UTF_CHECK, match.get(), nullptr);
        if (n < 0) {
            break; // no match in the rest (or a limit): it stays one piece
        }
        const PCRE2_SIZE* at = pcre2_get_ovector_pointer(match.get());
        if (at[0] > done) {
            pieces.push_back(text.substr(done, at[0] - done));
        }
        if (at[1] == at[0]) {
            break; // none of our patterns matches nothing; never loop if one did
        }
        pieces.push_back(text.substr(at[0], at[1] - at[0]));
        done = at[1];
    }
    if (done < text.size()) {
        pieces.push_back(text.substr(done));
    }
}

PreTokenizer::PreTokenizer() = default;
PreTokenizer::~PreTokenizer() = default;

Result<std::unique_ptr<PreTokenizer>> PreTokenizer::make(const PreTokenizerRule& rule) {
    std::unique_ptr<PreTokenizer> result(new PreTokenizer);
    for (const char* pattern : rule.patterns) {
        int error = 0;
        PCRE2_SIZE at = 0;
        pcre2_code* code = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(pattern), PCRE2_ZERO_TERMINATED,
                                         PCRE2_UTF | PCRE2_UCP, &error, &at, nullptr);
        if (!code) {
            return Error{ErrorCode::internal, "pre-tokenizer pattern error " + std::to_string(error) + " at " + std::to_string(at)};
        }
        result->patterns_.push_back({std::unique_ptr<pcre2_code, CodeFree>(code)});
    }
    return result;
}

void PreTokenizer::split(std::string_view text, std::vector<std::string_view>& words) const {
    std::vector<std::string_view> pieces, next;
    cut_at_invalid(text, pieces);
    for (const Pattern& pattern : patterns_) {
        next.clear();
        for (const std::string_view piece : pieces) {
            if (utf8::decode(piece).valid) {
                pattern.split(piece, next);
            } else {
                next.push_back(piece);
            }
        }
        pieces.swap(next);
    }
    words.insert(words.end(), pieces.begin(), pieces.end());
}

} // namespace sotto::tokenizer
