// SPDX-License-Identifier: Apache-2.0
#include "engine/tokenizer/pattern.h"

#include "engine/base/utf8.h"
#include "engine/tokenizer/regex_dialect.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <algorithm>
#include <limits>

namespace sotto::tokenizer {
namespace {

constexpr std::size_t kMaxRegexBytes = 16384;
constexpr std::uint32_t kHeapLimitKib = 64 * 1024;
constexpr std::uint32_t kNoLimit = std::numeric_limits<std::uint32_t>::max();

struct CompileFree {
    void operator()(pcre2_compile_context* c) const { pcre2_compile_context_free(c); }
};
struct CodeFree {
    void operator()(pcre2_code* c) const { pcre2_code_free(c); }
};
struct MatchFree {
    void operator()(pcre2_match_data* d) const { pcre2_match_data_free(d); }
};
struct ContextFree {
    void operator()(pcre2_match_context* c) const { pcre2_match_context_free(c); }
};

/// Steps that a search may still take, and where it was at the last.
struct Budget {
    std::int64_t left = 0;
    std::size_t position = 0;
};

/// Called before each item of a pattern that is not ours. What a repeated item ran over since the
/// last call counts too: the library's own limits do not see that.
int pay(pcre2_callout_block* block, void* data) {
    auto& budget = *static_cast<Budget*>(data);
    const std::size_t at = block->current_position;
    budget.left -= 1 + static_cast<std::int64_t>(at > budget.position ? at - budget.position
                                                                      : budget.position - at);
    budget.position = at;
    return budget.left < 0 ? PCRE2_ERROR_CALLOUT : 0;
}

/// The library's own text for an error number.
std::string error_text(int error) {
    PCRE2_UCHAR text[128] = {};
    pcre2_get_error_message(error, text, sizeof text);
    return reinterpret_cast<const char*>(text);
}

} // namespace

struct Pattern::Scratch::State {
    std::unique_ptr<pcre2_match_data, MatchFree> match{pcre2_match_data_create(1, nullptr)};
    std::unique_ptr<pcre2_match_context, ContextFree> context{pcre2_match_context_create(nullptr)};
    Budget budget;
};

// The library's limits count steps, which the length of a text is allowed to exceed: with our
// patterns memory does not grow with it, and others have a budget.
Pattern::Scratch::Scratch() : state_(std::make_unique<State>()) {
    pcre2_set_match_limit(state_->context.get(), kNoLimit);
    pcre2_set_depth_limit(state_->context.get(), kNoLimit);
    pcre2_set_heap_limit(state_->context.get(), kHeapLimitKib);
    pcre2_set_callout(state_->context.get(), pay, &state_->budget);
}
Pattern::Scratch::~Scratch() = default;

struct Pattern::Regex {
    std::unique_ptr<pcre2_code, CodeFree> code;
};

Pattern::Pattern() = default;
Pattern::~Pattern() = default;

std::shared_ptr<const Pattern> Pattern::literal(std::string text) {
    std::shared_ptr<Pattern> p(new Pattern);
    p->literal_ = std::move(text);
    return p;
}

Result<std::shared_ptr<const Pattern>> Pattern::ours(std::string_view regex) {
    return compile(regex, true);
}

Result<std::shared_ptr<const Pattern>> Pattern::from_file(std::string_view regex) {
    if (regex.size() > kMaxRegexBytes) {
        return Error{ErrorCode::unsupported, "a pattern of " + std::to_string(regex.size()) +
                                                 " bytes, at most " +
                                                 std::to_string(kMaxRegexBytes) + " are read"};
    }
    return compile(from_oniguruma(regex), false);
}

Result<std::shared_ptr<const Pattern>> Pattern::compile(std::string_view regex, bool is_ours) {
    const std::unique_ptr<pcre2_compile_context, CompileFree> context(
        pcre2_compile_context_create(nullptr));
    pcre2_set_parens_nest_limit(context.get(), 50); // the compiler recurses
    std::uint32_t options = PCRE2_UTF | PCRE2_UCP | PCRE2_NEVER_BACKSLASH_C;
    options |= is_ours ? 0 : PCRE2_MULTILINE | PCRE2_AUTO_CALLOUT;
    int error = 0;
    PCRE2_SIZE at = 0;
    pcre2_code* code = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(regex.data()), regex.size(),
                                     options, &error, &at, context.get());
    if (!code) {
        return Error{ErrorCode::unsupported, "pattern '" + utf8::sanitize(regex.substr(0, 80)) +
                                                 "' at byte " + std::to_string(at) + ": " +
                                                 error_text(error)};
    }
    std::shared_ptr<Pattern> p(new Pattern);
    p->regex_ = std::make_unique<Regex>();
    p->regex_->code.reset(code);
    return std::shared_ptr<const Pattern>(std::move(p));
}

void Pattern::find_literal(std::string_view text, std::vector<Span>& matches) const {
    for (std::size_t at = 0; !literal_.empty(); at += literal_.size()) {
        at = text.find(literal_, at);
        if (at == std::string_view::npos) {
            break;
        }
        matches.push_back({at, at + literal_.size()});
    }
}

void Pattern::find_all(std::string_view text, Scratch& scratch, std::vector<Span>& matches) const {
    if (!regex_) {
        find_literal(text, matches);
        return;
    }
    Scratch::State& s = *scratch.state_;
    s.budget = {static_cast<std::int64_t>(text.size()) * 64 + 100'000, 0};
    const auto* subject = reinterpret_cast<PCRE2_SPTR>(text.data());
    std::size_t from = 0, done = 0; // searched from, end of the last match
    while (from <= text.size()) {
        // Without JIT: its own stack is small, and the interpreter's memory is on the heap.
        const int n = pcre2_match(regex_->code.get(), subject, text.size(), from,
                                  PCRE2_NO_UTF_CHECK, s.match.get(), s.context.get());
        const PCRE2_SIZE* at = pcre2_get_ovector_pointer(s.match.get());
        // No match in the rest, or the library gave up: nothing is lost, the rest is one piece.
        // \K can put the beginning anywhere.
        if (n < 0 || at[0] < done || at[1] < at[0]) {
            break;
        }
        if (at[1] > at[0] || (at[0] > done && at[0] < text.size())) {
            matches.push_back({at[0], at[1]});
            done = at[1];
        }
        from = std::max(from, at[1]);
        if (at[1] == at[0] && from < text.size()) {
            from += utf8::decode(text.substr(from)).n_bytes;
        } else if (at[1] == at[0]) {
            break;
        }
    }
}

} // namespace sotto::tokenizer
