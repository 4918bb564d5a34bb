// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/template/jinja/ast.h"

#include <map>
#include <set>

namespace sotto::jinja {

/// Keeps count, while parsing, of the names that each frame reads and sets. jinja2 decides from
/// them, before anything runs, where a name's value comes from: one that a frame sets outside of
/// any `if` before it reads it is unset in that frame until then, even if the caller gave a value
/// of that name; unless an outer frame knows the name too.
class Names {
  public:
    explicit Names(Source& source);

    Symbol intern(std::string_view name);
    void read(Symbol symbol);
    void set(Symbol symbol);
    /// Always has a value: a parameter, a loop's target.
    void parameter(Symbol symbol) { frames_[current_].known.insert(symbol); }

    std::size_t open(); // a frame inside the current one
    void reopen(std::size_t frame) { current_ = frame; }
    void close() { current_ = frames_[current_].parent; }
    void open_branch() { ++frames_[current_].n_branches; }
    void close_branch() { --frames_[current_].n_branches; }
    /// Whether the frame that was closed last or one inside of it reads the name; for caller,
    /// kwargs and varargs.
    [[nodiscard]] bool reads(std::size_t frame, std::string_view name) const;
    /// Is complete after finish().
    [[nodiscard]] const Hidden* hidden(std::size_t frame) const { return frames_[frame].hidden; }
    void finish();

  private:
    struct FrameNames {
        std::size_t parent = 0;
        Hidden* hidden = nullptr;
        int n_branches = 0;
        std::set<Symbol> known, read;
    };
    [[nodiscard]] bool outer_knows(std::size_t frame, Symbol symbol) const;

    Source& source_;
    std::map<std::string, Symbol, std::less<>> symbols_;
    std::vector<FrameNames> frames_;
    std::size_t current_ = 0;
};

} // namespace sotto::jinja
