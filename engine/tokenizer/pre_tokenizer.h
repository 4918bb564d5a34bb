// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/tokenizer/pattern.h"
#include "engine/tokenizer/split_rules.h"

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sotto::tokenizer {

/// What becomes of a match ("behavior" in tokenizer.json).
enum class MatchFate { isolated, removed, merged_with_previous, merged_with_next, contiguous };

/// Where a mark is put before a text.
enum class BlankFirst { never, first, always }; // first: before the very beginning of a text only

/// One step of a pre-tokenizer.
struct SplitStep {
    enum class Kind {
        split,       // at matches of `pattern`
        blank_first, // puts a space before pieces that begin with none
        metaspace    // writes `mark` for spaces, puts one before, splits before each
    };
    Kind kind = Kind::split;
    std::shared_ptr<const Pattern> pattern{};
    MatchFate fate = MatchFate::isolated;
    bool invert = false; // what lies between matches is what is meant

    std::string mark{};
    BlankFirst blank_first = BlankFirst::never;
    bool splits = true;
};

/// The words of a text, and where they lie if they are no longer parts of it.
struct Pieces {
    std::vector<std::string_view> list;
    std::deque<std::string> texts; // that steps made; list may hold views into them
};

/// Splits text into words. Immutable; any thread; stack use does not grow with the text.
class PreTokenizer {
  public:
    PreTokenizer() = default;
    explicit PreTokenizer(std::vector<SplitStep> steps) : steps_(std::move(steps)) {}
    static Result<PreTokenizer> make(const SplitRule& rule);

    /// Replaces `words`, which hold views into `text`. Parts that are no UTF-8 are words of their
    /// own once a pattern has been applied. at_start: the text is the beginning of a whole one.
    void split(std::string_view text, bool at_start, Pieces& words) const;

  private:
    std::vector<SplitStep> steps_;
};

} // namespace sotto::tokenizer
