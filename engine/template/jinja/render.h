// SPDX-License-Identifier: Apache-2.0
// One rendering in progress: what it has used up, where it writes, and how values are made in it.
#pragma once

#include "engine/template/jinja/objects.h"
#include "engine/template/jinja/template.h"

#include <memory>
#include <string>
#include <vector>

namespace sotto::jinja {

struct Scope;

class Render {
  public:
    Render(const Source& template_source, const RenderOptions& render_options);
    ~Render();
    Render(const Render&) = delete;
    Render& operator=(const Render&) = delete;

    // Values made in a rendering are metered.
    Value string(Text text);
    Value trusted(std::string bytes) { return string(Text(std::move(bytes), Origin::trusted)); }
    Value list(std::vector<Value> items, Flavor flavor = Flavor::list);
    Value tuple(std::vector<Value> items) { return list(std::move(items), Flavor::tuple); }
    Value dict(std::vector<DictData::Entry> entries);
    Value iterator(std::vector<Value> items);
    Value undefined(std::string message);
    /// They may hold each other; all are emptied when the rendering ends.
    Value name_space(std::vector<std::pair<std::string, Value>> entries);

    void write(std::string_view bytes, Origin origin);
    void write(const Text& text);

    Meter meter;
    const Source& source;
    const RenderOptions& options;
    int line = 1;                             // of what is being evaluated
    std::vector<Value> globals;               // by symbol
    std::vector<std::unique_ptr<Scope>> kept; // scopes that a macro looks into

  private:
    friend class Capture;
    void before_write(std::size_t n_bytes, std::size_t n_kept);

    Text* out_ = nullptr;
    std::size_t unclaimed_ = 0; // memory that output of this capture counts
    std::vector<std::shared_ptr<NamespaceData>> namespaces_;
};

/// Takes all output for as long as it lives.
class Capture {
  public:
    explicit Capture(Render& r);
    ~Capture();
    Capture(const Capture&) = delete;
    Capture& operator=(const Capture&) = delete;
    [[nodiscard]] Value value() { return render_.string(std::move(text_)); }
    [[nodiscard]] Text release() { return std::move(text_); }

  private:
    Render& render_;
    Text text_;
    Text* outer_;
    std::size_t outer_unclaimed_;
};

/// Arguments of a call, a filter (the filtered value not counted) or a test.
struct Args {
    std::vector<Value> positional;
    std::vector<std::pair<std::string, Value>> keywords;
};

/// Arguments by the names of their parameters, of which the first `n_required` must be there.
class Params {
  public:
    static constexpr std::size_t kMax = 6;
    Params(std::string_view function, const Args& args,
           std::initializer_list<std::string_view> names, std::size_t n_required = 0);

    [[nodiscard]] bool has(std::size_t i) const { return values_[i] != nullptr; }
    [[nodiscard]] const Value& operator[](std::size_t i) const { return *values_[i]; }
    [[nodiscard]] Value get(std::size_t i, Value otherwise = {}) const {
        return has(i) ? *values_[i] : otherwise;
    }
    /// Fail if the argument is of another kind.
    [[nodiscard]] std::int64_t integer(std::size_t i, std::int64_t otherwise) const;
    [[nodiscard]] std::string_view string(std::size_t i, std::string_view otherwise) const;
    [[nodiscard]] const Text& text(std::size_t i) const; // of a required argument
    [[nodiscard]] bool truth(std::size_t i, bool otherwise) const;

  private:
    std::string_view function_;
    std::array<const Value*, kMax> values_{};
};

using Filter = Value (*)(Render&, const Value&, const Args&);
struct FilterEntry {
    std::string_view name;
    Filter run;
};
using Test = bool (*)(Render&, const Value&, const Args&);
struct TestEntry {
    std::string_view name;
    Test run;
};

struct FunctionData final : Object {
    using Run = Value (*)(Render&, const Args&);
    FunctionData(std::string_view n, Run r) : name(n), run(r) {}
    std::string_view name;
    Run run;
};

/// Null if there is none.
const MethodEntry* find_method(const Value& self, std::string_view name);
Filter find_filter(std::string_view name);
Test find_test(std::string_view name);
/// Undefined kind if there is no such function.
Value find_global(std::string_view name, bool has_clock);

/// Fails beyond kMaxValueDepth.
void check_depth(int depth);

Value call(Render& r, const Value& callee, const Args& args);

} // namespace sotto::jinja
