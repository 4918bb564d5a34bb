// SPDX-License-Identifier: Apache-2.0
#include "engine/tokenizer/normalizer.h"

#include "engine/base/utf8.h"
#include "engine/tokenizer/unicode.h"

namespace sotto::tokenizer {
namespace {

/// Patterns take valid UTF-8 only: what is none stands where it was.
void replace_all(std::string_view text, const NormalizerStep& step, std::string& out) {
    Pattern::Scratch scratch;
    std::vector<Span> matches;
    const auto replace_in = [&](std::string_view part) {
        matches.clear();
        step.pattern->find_all(part, scratch, matches);
        std::size_t done = 0;
        for (const Span& m : matches) {
            out += part.substr(done, m.begin - done);
            out += step.text;
            done = m.end;
        }
        out += part.substr(done);
    };
    std::size_t begin = 0;
    for (std::size_t at = 0; at < text.size();) {
        const utf8::Decoded d = utf8::decode(text.substr(at));
        if (!d.valid) {
            replace_in(text.substr(begin, at - begin));
            out += text.substr(at, d.n_bytes);
            begin = at + d.n_bytes;
        }
        at += d.n_bytes;
    }
    replace_in(text.substr(begin));
}

std::string_view stripped(std::string_view text, const NormalizerStep& step) {
    if (step.left) {
        text.remove_prefix(leading_white_space(text));
    }
    if (step.right) {
        text.remove_suffix(trailing_white_space(text));
    }
    return text;
}

/// What a step that writes makes of a text.
std::string rewritten(std::string_view text, const NormalizerStep& step) {
    std::string out;
    switch (step.kind) {
    case NormalizerStep::Kind::form:
        append_in_form(text, step.form, out);
        break;
    case NormalizerStep::Kind::lowercase:
        append_lowercase(text, out);
        break;
    case NormalizerStep::Kind::replace:
        replace_all(text, step, out);
        break;
    case NormalizerStep::Kind::prepend:
        out.append(text.empty() ? std::string_view() : step.text).append(text);
        break;
    case NormalizerStep::Kind::strip:
        break; // copies nothing: run()
    }
    return out;
}

bool changes_nothing(std::string_view text, const NormalizerStep& step) {
    return step.kind == NormalizerStep::Kind::form && is_in_form(text, step.form);
}

} // namespace

std::string_view Normalizer::run(std::string_view text, std::string& storage) const {
    for (const NormalizerStep& step : steps_) {
        if (step.kind == NormalizerStep::Kind::strip) {
            text = stripped(text, step);
        } else if (!changes_nothing(text, step)) {
            std::string next = rewritten(text, step);
            storage.swap(next); // `text` lay in what is now next
            text = storage;
        }
    }
    return text;
}

} // namespace sotto::tokenizer
