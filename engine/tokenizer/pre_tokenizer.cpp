// SPDX-License-Identifier: Apache-2.0
#include "engine/tokenizer/pre_tokenizer.h"

#include "engine/base/utf8.h"
#include "engine/tokenizer/replace.h"

#include <algorithm>
#include <optional>

namespace sotto::tokenizer {
namespace {

using Views = std::vector<std::string_view>;

/// Cuts a text into valid UTF-8 and parts that are none. Checked once here: the library would check
/// the whole rest of the text at every match.
void cut_at_invalid(std::string_view text, Views& pieces) {
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

/// A match, or what lies between two.
struct Cut {
    Span span;
    bool is_match;
};

/// Joins each match with the cut before it: of matches in a row the first.
void merge_with_previous(std::vector<Cut>& cuts) {
    std::vector<Cut> merged;
    bool after_match = false;
    for (const Cut& c : cuts) {
        if (c.is_match && !after_match && !merged.empty()) {
            merged.back().span.end = c.span.end;
        } else {
            merged.push_back(c);
        }
        after_match = c.is_match;
    }
    cuts.swap(merged);
}

/// The same towards the end: of matches in a row the last.
void merge_with_next(std::vector<Cut>& cuts) {
    std::vector<Cut> merged;
    bool before_match = false;
    for (auto c = cuts.rbegin(); c != cuts.rend(); ++c) {
        if (c->is_match && !before_match && !merged.empty()) {
            merged.back().span.begin = c->span.begin;
        } else {
            merged.push_back(*c);
        }
        before_match = c->is_match;
    }
    std::reverse(merged.begin(), merged.end());
    cuts.swap(merged);
}

void merge_alike(std::vector<Cut>& cuts) {
    std::vector<Cut> merged;
    for (const Cut& c : cuts) {
        if (!merged.empty() && merged.back().is_match == c.is_match) {
            merged.back().span.end = c.span.end;
        } else {
            merged.push_back(c);
        }
    }
    cuts.swap(merged);
}

/// What splitting works with, kept from piece to piece.
struct Work {
    Pattern::Scratch search;
    std::vector<Span> matches;
    std::vector<Cut> cuts;
};

void list_cuts(std::size_t n_bytes, const SplitStep& step, Work& work) {
    work.cuts.clear();
    std::size_t done = 0;
    for (const Span& m : work.matches) {
        if (m.begin > done) {
            work.cuts.push_back({{done, m.begin}, step.invert});
        }
        work.cuts.push_back({m, !step.invert});
        done = m.end;
    }
    if (done < n_bytes) {
        work.cuts.push_back({{done, n_bytes}, step.invert});
    }
}

void split_piece(std::string_view piece, const SplitStep& step, Work& work, Views& out) {
    work.matches.clear();
    step.pattern->find_all(piece, work.search, work.matches);
    list_cuts(piece.size(), step, work);
    if (step.fate == MatchFate::merged_with_previous) {
        merge_with_previous(work.cuts);
    } else if (step.fate == MatchFate::merged_with_next) {
        merge_with_next(work.cuts);
    } else if (step.fate == MatchFate::contiguous) {
        merge_alike(work.cuts);
    }
    for (const Cut& c : work.cuts) {
        const bool removed = step.fate == MatchFate::removed && c.is_match;
        if (!removed && c.span.end > c.span.begin) {
            out.push_back(piece.substr(c.span.begin, c.span.end - c.span.begin));
        }
    }
}

void split_all(const SplitStep& step, Work& work, const Views& pieces, Views& out) {
    for (const std::string_view piece : pieces) {
        const utf8::Decoded first = utf8::decode(piece);
        const bool one_character = first.n_bytes == piece.size();
        if (!first.valid || (one_character && step.fate != MatchFate::removed)) {
            out.push_back(piece); // nothing cuts it
        } else {
            split_piece(piece, step, work, out);
        }
    }
}

/// Whether something may be put before a piece. Not before what is no UTF-8: patterns pass that by
/// as pieces of their own, and must never be given it together with something else.
bool takes_prefix(std::string_view piece) {
    return !piece.starts_with(' ') && utf8::decode(piece).valid;
}

/// "a b" -> "_a", "_b" with the mark '_' (what Metaspace does).
void mark_blanks(const SplitStep& step, bool at_start, Pieces& words) {
    const std::shared_ptr<const Pattern> marks = Pattern::literal(step.mark);
    const SplitStep before_marks{.pattern = marks, .fate = MatchFate::merged_with_next};
    Work work;
    Views out;
    for (std::size_t i = 0; i < words.list.size(); ++i) {
        std::string& text = words.texts.emplace_back();
        const bool wanted = step.blank_first == BlankFirst::always ||
                            (step.blank_first == BlankFirst::first && at_start && i == 0);
        const std::string_view piece = words.list[i];
        if (wanted && takes_prefix(piece) && !piece.starts_with(step.mark)) {
            text = step.mark;
        }
        append_replaced(piece, " ", step.mark, text);
        if (step.splits) {
            split_piece(text, before_marks, work, out);
        } else {
            out.push_back(text);
        }
    }
    words.list.swap(out);
}

void put_blank_first(Pieces& words) {
    for (std::string_view& piece : words.list) {
        if (takes_prefix(piece)) {
            piece = words.texts.emplace_back(" " + std::string(piece));
        }
    }
}

} // namespace

Result<PreTokenizer> PreTokenizer::make(const SplitRule& rule) {
    std::vector<SplitStep> steps;
    for (const char* regex : rule.patterns) {
        auto pattern = Pattern::ours(regex);
        if (!pattern) {
            return std::move(pattern).error();
        }
        steps.push_back({.pattern = *std::move(pattern)});
    }
    return PreTokenizer(std::move(steps));
}

void PreTokenizer::split(std::string_view text, bool at_start, Pieces& words) const {
    words.texts.clear();
    words.list.clear();
    if (!text.empty()) {
        words.list.push_back(text);
    }
    std::optional<Work> work; // from the first pattern on
    for (const SplitStep& step : steps_) {
        if (step.kind == SplitStep::Kind::metaspace) {
            mark_blanks(step, at_start, words);
            continue;
        }
        if (step.kind == SplitStep::Kind::blank_first) {
            put_blank_first(words);
            continue;
        }
        Views next;
        if (!work) {
            work.emplace();
            for (const std::string_view piece : words.list) {
                cut_at_invalid(piece, next);
            }
            words.list.swap(next);
            next.clear();
        }
        split_all(step, *work, words.list, next);
        words.list.swap(next);
    }
}

} // namespace sotto::tokenizer
