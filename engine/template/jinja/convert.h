// SPDX-License-Identifier: Apache-2.0
// Values as text, as truth and as sequences, the way Python does it.
#pragma once

#include "engine/template/jinja/render.h"

#include <span>

namespace sotto::jinja {

bool truth(const Value& v);

/// str(v), repr(v).
void append_str(Render& r, Text& out, const Value& v);
void append_repr(Render& r, Text& out, const Value& v);
/// str(v) as a value; a string is itself.
Value to_string(Render& r, const Value& v);
/// repr of a float: the shortest digits that read back, "1.0", "1e-05", "inf".
std::string float_text(double d);

/// "str", "NoneType"; what Python calls it.
std::string_view type_name(const Value& v);
/// "str object", "None"; what jinja2 calls it.
std::string object_name(const Value& v);

/// Whether iterating works.
bool iterable(const Value& v);
/// len(v), or -1 if it has none.
std::int64_t length(const Value& v);

/// What iterating gives: the items of a list, the keys of a dict, the characters of a string, what
/// an iterator has left (and has no more then). Fails for what cannot be iterated.
class Items {
  public:
    Items(Render& r, const Value& v);
    Items(const Items&) = delete;
    Items& operator=(const Items&) = delete;
    [[nodiscard]] std::span<const Value> view() const { return view_; }
    [[nodiscard]] auto begin() const { return view_.begin(); }
    [[nodiscard]] auto end() const { return view_.end(); }
    [[nodiscard]] std::size_t size() const { return view_.size(); }
    [[nodiscard]] const Value& operator[](std::size_t i) const { return view_[i]; }
    [[nodiscard]] std::vector<Value> copy() const { return {view_.begin(), view_.end()}; }

  private:
    void own(Render& r, std::vector<Value> items);

    Value keep_;
    std::vector<Value> own_;
    Charge charge_;
    std::span<const Value> view_;
};

/// The value's own text if it is a string; else str(v).
class Str {
  public:
    Str(Render& r, const Value& v) : value_(to_string(r, v)) {}
    [[nodiscard]] const Text& text() const { return text_of(value_); }
    [[nodiscard]] std::string_view view() const { return view_of(value_); }
    [[nodiscard]] const Value& value() const { return value_; }

  private:
    Value value_;
};

} // namespace sotto::jinja
