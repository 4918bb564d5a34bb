// SPDX-License-Identifier: Apache-2.0
// Jinja as chat templates use it: what Python's jinja2 renders when transformers sets it up
// (ImmutableSandboxedEnvironment, trim_blocks, lstrip_blocks, loop controls, {% generation %}).
// Not there: include, import, extends, block, autoescape.
#pragma once

#include "engine/base/result.h"
#include "engine/template/jinja/limits.h"
#include "engine/template/jinja/value.h"

#include <ctime>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sotto::jinja {

struct Rendered {
    std::string text;
    std::vector<Span> trusted; ///< what the template wrote: ascending, not empty, not touching
};

struct RenderOptions {
    Limits limits;
    /// Local time for strftime_now; without it the function is not defined.
    std::function<std::tm()> now;
};

struct Source; // the parsed form, see ast.h

/// Immutable; any thread may render it, several at once. A thread stack of 512 KiB suffices.
class Template {
  public:
    /// bad_file with "line N: ..." for a source that breaks the syntax, is too long or nests too
    /// deeply; unsupported for statements that are not there.
    static Result<std::shared_ptr<const Template>> parse(std::string_view source);

    /// `globals` is a dict: messages, tools, add_generation_prompt, bos_token ... What the template
    /// itself refuses by raise_exception is bad_argument, its text alone the message; every other
    /// failure is bad_file with "line N: ...", limits included.
    [[nodiscard]] Result<Rendered> render(const Value& globals,
                                          const RenderOptions& options = {}) const;

    explicit Template(std::unique_ptr<const Source> source); // use parse()
    ~Template();

  private:
    std::unique_ptr<const Source> source_;
};

} // namespace sotto::jinja
