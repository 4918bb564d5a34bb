// SPDX-License-Identifier: Apache-2.0
// The one header over the regular expression library.
#pragma once

#include "engine/tokenizer/tokenizer.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sotto::tokenizer {

/// What a text is split at or searched for. Immutable; any thread.
class Pattern {
  public:
    /// Of one search or several, one after another; one thread.
    class Scratch {
      public:
        Scratch();
        ~Scratch();
        Scratch(const Scratch&) = delete;
        Scratch& operator=(const Scratch&) = delete;

      private:
        friend class Pattern;
        struct State;
        std::unique_ptr<State> state_;
    };

    static std::shared_ptr<const Pattern> literal(std::string text);
    /// One of split_rules.h: linear by how it is written.
    static Result<std::shared_ptr<const Pattern>> ours(std::string_view regex);
    /// From a file, in the dialect of Oniguruma: \s, \w and \d as Unicode has them, ^ and $ at
    /// lines. Searches have a budget of steps, about 64 for each byte; where it ends, nothing more
    /// is found. Errors: unsupported (at most 16384 bytes; a mistake in it).
    static Result<std::shared_ptr<const Pattern>> from_file(std::string_view regex);
    ~Pattern();
    Pattern(const Pattern&) = delete;
    Pattern& operator=(const Pattern&) = delete;

    /// All matches in a text of valid UTF-8 from left to right; they do not overlap, empty ones lie
    /// behind the end of the one before.
    void find_all(std::string_view text, Scratch& scratch, std::vector<Span>& matches) const;

  private:
    struct Regex;
    Pattern();
    static Result<std::shared_ptr<const Pattern>> compile(std::string_view regex, bool is_ours);
    void find_literal(std::string_view text, std::vector<Span>& matches) const;

    std::string literal_;
    std::unique_ptr<Regex> regex_; // null: the literal
};

} // namespace sotto::tokenizer
