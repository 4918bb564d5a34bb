// SPDX-License-Identifier: Apache-2.0
#include "engine/tokenizer/pre_tokenizer.h"

#include "engine/base/utf8.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>

namespace sotto::tokenizer {
namespace {

// White space as Unicode has it. The library's \s is close, but takes U+180E for a blank too.
#define SOTTO_BLANKS                                                                               \
    R"(\t-\r \x{85}\x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000})"
#define SOTTO_BLANKS_IN_LINE                                                                       \
    R"(\t\x0B\f \x{85}\x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000})"

// The patterns match what the originals match. Repeats that are followed by something they cannot
// contain are possessive (++), so that a long run is never walked back.
//
// Blanks up to the last one before a word; else blanks. The first repeat stays greedy: at most it
// gives back one character and is done.
#define SOTTO_BLANK_RUN "|[" SOTTO_BLANKS "]+(?![^" SOTTO_BLANKS "])|[" SOTTO_BLANKS "]++"

// Contractions; words, numbers and other marks with one space before; blanks.
constexpr const char* kGpt2 =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}++| ?\p{N}++| ?[^\p{L}\p{N})" SOTTO_BLANKS
    "]++" SOTTO_BLANK_RUN;
constexpr const char* kDigits = R"(\p{N})";
// Llama 3 and Qwen 2 differ in how many digits stay together. Their "\s*[\r\n]+" backs up to the
// last line end of a run of blanks; here it is blanks that are no line ends, then line ends,
// repeated.
#define SOTTO_MODERN(digits)                                                                       \
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?+\p{L}++|)" digits                           \
    R"(| ?[^\p{L}\p{N})" SOTTO_BLANKS R"(]++[\r\n]*+)"                                             \
    "|(?:[" SOTTO_BLANKS_IN_LINE R"(]*+[\r\n]++)++)" SOTTO_BLANK_RUN
constexpr const char* kLlama3 = SOTTO_MODERN(R"(\p{N}{1,3}+)");
constexpr const char* kQwen2 = SOTTO_MODERN(R"(\p{N})");

/// Cuts text into valid UTF-8 and parts that are none. Checked once here: the library would check
/// the whole rest of the text at every match.
void cut_at_invalid(std::string_view text, std::vector<std::string_view>& pieces) {
    std::size_t begin = 0;
    const auto cut = [&](std::size_t end) {
        if (end > begin) {
            pieces.push_back(text.substr(begin, end - begin));
        }
        begin = end;
    };
    for (std::size_t at = 0; at < text.size();) {
        const utf8::Decoded d = utf8::decode(text.substr(at));
        if (!d.valid) {
            cut(at);
            cut(at + d.n_bytes);
        }
        at += d.n_bytes;
    }
    cut(text.size());
}

struct CodeFree {
    void operator()(pcre2_code* code) const { pcre2_code_free(code); }
};
struct MatchFree {
    void operator()(pcre2_match_data* data) const { pcre2_match_data_free(data); }
};
struct ContextFree {
    void operator()(pcre2_match_context* context) const { pcre2_match_context_free(context); }
};

/// What a search works with. The library's limits count steps, which the length of a text is
/// allowed to exceed: memory does not grow with it, our patterns never nest.
struct Search {
    std::unique_ptr<pcre2_match_data, MatchFree> match{pcre2_match_data_create(1, nullptr)};
    std::unique_ptr<pcre2_match_context, ContextFree> context{pcre2_match_context_create(nullptr)};

    Search() {
        pcre2_set_match_limit(context.get(), std::numeric_limits<std::uint32_t>::max());
        pcre2_set_depth_limit(context.get(), std::numeric_limits<std::uint32_t>::max());
    }
};

} // namespace

const std::vector<PreTokenizerRule>& pre_tokenizer_rules() {
    static const std::vector<PreTokenizerRule> rules = {
        {{"gpt-2", "gpt2", "phi-2"}, {kGpt2}, false},
        {{"smollm"}, {kDigits, kGpt2}, false},
        {{"llama-bpe", "llama3", "llama-v3", "falcon3"}, {kLlama3}, true},
        {{"qwen2", "deepseek-r1-qwen"}, {kQwen2}, false},
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
    void split(std::string_view text, const Search& search,
               std::vector<std::string_view>& pieces) const;
};

void PreTokenizer::Pattern::split(std::string_view text, const Search& search,
                                  std::vector<std::string_view>& pieces) const {
    const auto* subject = reinterpret_cast<PCRE2_SPTR>(text.data());
    std::size_t done = 0;
    while (done < text.size()) {
        // Without JIT: its own stack is small, and the interpreter's memory is on the heap.
        const int n = pcre2_match(code.get(), subject, text.size(), done, PCRE2_NO_UTF_CHECK,
                                  search.match.get(), search.context.get());
        const PCRE2_SIZE* at = pcre2_get_ovector_pointer(search.match.get());
        if (n < 0 || at[1] == at[0]) {
            break; // no match in the rest, or the library gave up: it stays one piece, nothing is
                   // lost
        }
        if (at[0] > done) {
            pieces.push_back(text.substr(done, at[0] - done));
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
        pcre2_code* code =
            pcre2_compile(reinterpret_cast<PCRE2_SPTR>(pattern), PCRE2_ZERO_TERMINATED,
                          PCRE2_UTF | PCRE2_UCP, &error, &at, nullptr);
        if (!code) {
            return Error{ErrorCode::internal, "pre-tokenizer pattern error " +
                                                  std::to_string(error) + " at " +
                                                  std::to_string(at)};
        }
        result->patterns_.push_back({std::unique_ptr<pcre2_code, CodeFree>(code)});
    }
    return result;
}

void PreTokenizer::split(std::string_view text, std::vector<std::string_view>& words) const {
    const Search search;
    std::vector<std::string_view> pieces, next;
    cut_at_invalid(text, pieces);
    for (const Pattern& pattern : patterns_) {
        next.clear();
        for (const std::string_view piece : pieces) {
            const utf8::Decoded first = utf8::decode(piece);
            if (first.valid && first.n_bytes < piece.size()) {
                pattern.split(piece, search, next);
            } else { // one character, or no UTF-8: no pattern cuts it
                next.push_back(piece);
            }
        }
        pieces.swap(next);
    }
    words.insert(words.end(), pieces.begin(), pieces.end());
}

} // namespace sotto::tokenizer
