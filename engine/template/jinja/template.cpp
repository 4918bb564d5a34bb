// SPDX-License-Identifier: Apache-2.0
#include "engine/template/jinja/template.h"

#include "engine/template/jinja/ast.h"
#include "engine/template/jinja/statement_parser.h"

#include <exception>
#include <new>

namespace sotto::jinja {
namespace {

/// "\r\n" and "\r" become "\n", and the last one goes, as jinja2 has it.
std::string normalized(std::string_view source) {
    std::string text;
    text.reserve(source.size());
    for (std::size_t i = 0; i < source.size(); ++i) {
        const bool pair = source[i] == '\r' && i + 1 < source.size() && source[i + 1] == '\n';
        if (!pair) {
            text += source[i] == '\r' ? '\n' : source[i];
        }
    }
    if (text.ends_with('\n')) {
        text.pop_back();
    }
    return text;
}

std::unique_ptr<const Source> parsed(std::string_view text) {
    auto source = std::make_unique<Source>();
    source->text = normalized(text);
    TokenStream tokens(tokenize(source->text));
    Names names(*source);
    source->body = StatementParser(tokens, names).top();
    return source;
}

/// The functions, and over them what the caller gave.
void fill_globals(Render& r, const DictData& given) {
    for (const std::string& name : r.source.symbols) {
        const Value* value = given.find(name);
        r.globals.push_back(value != nullptr ? *value
                                             : find_global(name, r.options.now != nullptr));
    }
}

Rendered rendered(const Source& source, const DictData& globals, const RenderOptions& options) {
    Render r(source, options);
    try {
        fill_globals(r, globals);
        Capture capture(r);
        Frame frame(r, nullptr, *source.hidden_top);
        static_cast<void>(exec_body(source.body, r, frame.scope()));
        Text text = capture.release();
        std::vector<Span> trusted = text.trusted();
        return {std::move(text).release(), std::move(trusted)};
    } catch (const Failure& failure) {
        if (failure.code == ErrorCode::bad_argument) {
            throw; // the template's own words
        }
        throw Failure{failure.code, "line " + std::to_string(r.line) + ": " + failure.message};
    }
}

} // namespace

Template::Template(std::unique_ptr<const Source> source) : source_(std::move(source)) {}
Template::~Template() = default;

Result<std::shared_ptr<const Template>> Template::parse(std::string_view source) {
    if (source.size() > kMaxSourceBytes) {
        return Error{ErrorCode::bad_file, "the template has " + std::to_string(source.size()) +
                                              " bytes; at most " + std::to_string(kMaxSourceBytes) +
                                              " are read"};
    }
    try {
        return std::shared_ptr<const Template>(std::make_shared<Template>(parsed(source)));
    } catch (const Failure& failure) {
        return Error{failure.code, failure.message};
    } catch (const std::bad_alloc&) {
        return Error{ErrorCode::no_memory, "no memory to read the template"};
    } catch (const std::exception& e) {
        return Error{ErrorCode::internal, std::string("reading the template: ") + e.what()};
    }
}

Result<Rendered> Template::render(const Value& globals, const RenderOptions& options) const {
    if (!globals.is(Kind::dict) || depth_of(globals) > kMaxValueDepth) {
        return Error{ErrorCode::internal, "a template needs a dict of values, nested at most " +
                                              std::to_string(kMaxValueDepth) + " deep"};
    }
    try {
        return rendered(*source_, globals.as<DictData>(), options);
    } catch (const Failure& failure) {
        return Error{failure.code, failure.message};
    } catch (const std::bad_alloc&) {
        return Error{ErrorCode::no_memory, "no memory to render the template"};
    } catch (const std::exception& e) { // the caller's clock may throw
        return Error{ErrorCode::internal, std::string("rendering the template: ") + e.what()};
    }
}

} // namespace sotto::jinja
