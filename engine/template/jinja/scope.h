// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/template/jinja/render.h"

namespace sotto::jinja {

using Symbol = std::uint32_t; // index into Source::symbols

/// The variables of one frame of the template: of its top, a loop's body, a macro's, a set block's.
struct Scope {
    explicit Scope(Scope* p) : parent(p) {}
    void set(Symbol symbol, Value value);
    [[nodiscard]] const Value* find(Symbol symbol) const;

    Scope* parent;
    std::vector<std::pair<Symbol, Value>> slots;
    bool captured = false; // a macro may look into it after its frame has ended
};

/// A scope for as long as its frame runs, and to the end of the rendering if a macro was made in
/// it. `hidden` are names that jinja2 takes for unset until they are set in this frame.
class Frame {
  public:
    Frame(Render& r, Scope* parent, const std::vector<Symbol>& hidden);
    ~Frame();
    Frame(const Frame&) = delete;
    Frame& operator=(const Frame&) = delete;

    [[nodiscard]] Scope& scope() { return *scope_; }
    /// Empty again, for the next turn of a loop.
    void reset();

  private:
    void hide();

    Render& render_;
    Scope* parent_;
    const std::vector<Symbol>& hidden_;
    std::unique_ptr<Scope> scope_;
};

/// The value of a name as seen from `scope`; undefined if it has none.
Value look_up(Render& r, const Scope& scope, Symbol symbol);
void capture(Render& r, Scope* scope);

} // namespace sotto::jinja
