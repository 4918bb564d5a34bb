// SPDX-License-Identifier: Apache-2.0
// The merges of a BPE vocabulary: those that its file lists, or those that the scores of its tokens
// stand for.
#include "engine/base/message.h"
#include "engine/base/utf8.h"
#include "engine/tokenizer/bpe_tokenizer.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace sotto::tokenizer {
namespace {

// Longer tokens are not put together by score: looking at all places where such a one could have
// been merged takes time that grows with the square of its length. Real ones have at most 93.
constexpr std::size_t kMaxScoredBytes = 256;

Error bad_merge(std::size_t rank, std::string_view text) {
    return {ErrorCode::bad_file, "merge " + std::to_string(rank) + " is " + message::quoted(text) +
                                     ", two parts with a blank between are needed"};
}

} // namespace

Result<void> BpeTokenizer::read_merges(std::vector<std::string>& warnings) {
    std::vector<Merge> merges;
    std::size_t n_useless = 0;
    if (pipeline_.merges_by_score) {
        merges = merges_by_score(warnings);
    } else {
        auto listed = merges_of_list(n_useless);
        if (!listed) {
            return std::move(listed).error();
        }
        merges = *std::move(listed);
    }
    if (merges.empty() && !pipeline_.merges_by_score) {
        return Error{ErrorCode::bad_file,
                     "none of the " + message::counted(n_useless, "merge") +
                         " is of ordinary tokens of the vocabulary, which has " +
                         message::counted(vocabulary_.tokens.size(), "token")};
    }
    if (n_useless > 0) {
        warnings.push_back(message::counted(n_useless, "merge") +
                           " of or into what is no ordinary token of the vocabulary; left out.");
    }
    merges_ = MergeTable(std::move(merges), vocabulary_.tokens.size() + extra_.size());
    vocabulary_.merges = {};
    vocabulary_.merge_pairs = {};
    vocabulary_.scores = {};
    return {};
}

Result<std::vector<Merge>> BpeTokenizer::merges_of_list(std::size_t& n_useless) const {
    const Vocabulary& v = vocabulary_;
    if (v.merges.empty() && v.merge_pairs.empty()) {
        return Error{ErrorCode::bad_file,
                     "the list of merges is missing or empty; a BPE tokenizer needs it"};
    }
    std::vector<Merge> merges;
    merges.reserve(v.merges.size() + v.merge_pairs.size());
    const auto add = [&](std::string_view left, std::string_view right) {
        const auto rank = static_cast<std::int32_t>(merges.size() + n_useless);
        const Merge m{find_text(left), find_text(right), rank,
                      find_text(std::string(left) + std::string(right))};
        if (m.left >= 0 && m.right >= 0 && m.result >= 0) {
            merges.push_back(m);
        } else {
            ++n_useless;
        }
    };
    for (std::size_t rank = 0; rank < v.merges.size(); ++rank) {
        // The parts hold no blank; the first character may be anything, so the search begins behind
        // it.
        const std::string_view merge = v.merges[rank];
        const std::size_t blank = merge.find(' ', 1);
        if (blank == std::string::npos || blank + 1 == merge.size()) {
            return bad_merge(rank, merge);
        }
        add(merge.substr(0, blank), merge.substr(blank + 1));
    }
    for (const auto& [left, right] : v.merge_pairs) {
        add(left, right);
    }
    return merges;
}

/// SentencePiece merges any two neighbours that together are a token, the best score first: all
/// pairs that can become each token, with the rank of its score among all. Of equal scores the
/// leftmost merges first, as merges of equal rank do.
std::vector<Merge> BpeTokenizer::merges_by_score(std::vector<std::string>& warnings) {
    if (vocabulary_.scores.empty()) {
        warnings.emplace_back("The file gives no scores for its tokens; all are taken for equal.");
    }
    const std::vector<std::int32_t> ranks = ranks_by_score();
    std::vector<Merge> merges;
    std::size_t n_long = 0;
    for (std::size_t i = 0; i < vocabulary_.tokens.size(); ++i) {
        if (!is_text(static_cast<TokenId>(i))) {
            continue;
        }
        if (vocabulary_.tokens[i].size() > kMaxScoredBytes) {
            ++n_long;
        } else {
            add_splits(static_cast<TokenId>(i), ranks[i], merges);
        }
    }
    if (n_long > 0) {
        warnings.push_back(message::counted(n_long, "token") + " of more than " +
                           std::to_string(kMaxScoredBytes) + " bytes; no text becomes them.");
    }
    return merges;
}

std::vector<std::int32_t> BpeTokenizer::ranks_by_score() const {
    std::vector<float> scores = vocabulary_.scores;
    scores.resize(vocabulary_.tokens.size(), 0.0F);
    for (float& s : scores) {
        s = std::isnan(s) ? -std::numeric_limits<float>::infinity() : s;
    }
    std::vector<float> best_first = scores;
    std::ranges::sort(best_first, std::greater{});
    best_first.erase(std::unique(best_first.begin(), best_first.end()), best_first.end());
    std::vector<std::int32_t> ranks(scores.size());
    std::ranges::transform(scores, ranks.begin(), [&](float s) {
        return static_cast<std::int32_t>(std::ranges::lower_bound(best_first, s, std::greater{}) -
                                         best_first.begin());
    });
    return ranks;
}

void BpeTokenizer::add_splits(TokenId id, std::int32_t rank, std::vector<Merge>& merges) {
    const std::string_view text = spelling_of(id);
    if (index_.find(text) != id || !utf8::valid(text)) {
        return; // spelt like one before it, or not made of characters
    }
    const auto could_be = [&](std::string_view part) {
        return find_text(part) >= 0 || utf8::decode(part).n_bytes == part.size();
    };
    for (std::size_t at = utf8::decode(text).n_bytes; at < text.size();
         at += utf8::decode(text.substr(at)).n_bytes) {
        const std::string_view left = text.substr(0, at), right = text.substr(at);
        if (could_be(left) && could_be(right)) {
            merges.push_back({symbol_of(left), symbol_of(right), rank, id});
        }
    }
}

/// The token, else the character, which is given a number behind the tokens'.
TokenId BpeTokenizer::symbol_of(std::string_view spelling) {
    if (const TokenId id = find_text(spelling); id >= 0) {
        return id;
    }
    const char32_t c = utf8::decode(spelling).code_point;
    if (characters_.find(c) < 0) {
        characters_.add(c, static_cast<TokenId>(vocabulary_.tokens.size() + extra_.size()));
        extra_.emplace_back(spelling);
    }
    return characters_.find(c);
}

} // namespace sotto::tokenizer
