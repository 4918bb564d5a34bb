// SPDX-License-Identifier: Apache-2.0
#include "engine/tokenizer/marks.h"

#include <algorithm>
#include <iterator>

namespace sotto::tokenizer {
namespace {

// </s> and <eos> are also text of web pages: they are marks where the file says so.
constexpr Mark kMarks[] = {
    {"<|im_start|>", false, true},
    {"<|im_end|>", true, true},
    {"<|start_header_id|>", false, true},
    {"<|end_header_id|>", false, true},
    {"<|eot_id|>", true, true},
    {"<|eom_id|>", true, true},
    {"<|begin_of_text|>", false, true},
    {"<|endoftext|>", true, true},
    {"<|end_of_text|>", true, true},
    {"<|end|>", true, true},
    {"<|eot|>", true, true},
    {"<|end_of_turn|>", true, true},
    {"<start_of_turn>", false, true},
    {"<end_of_turn>", true, true},
    {"</s>", true, false},
    {"<eos>", true, false},
};

// Elements of web pages that vocabularies have as words; "bbox" is Gemma's own.
constexpr std::string_view kElements[] = {
    "a",       "abbr",    "article", "aside",  "b",     "bbox",   "blockquote", "body",
    "br",      "button",  "caption", "center", "cite",  "code",   "col",        "dd",
    "del",     "details", "div",     "dl",     "dt",    "em",     "figcaption", "figure",
    "font",    "footer",  "form",    "h1",     "h2",    "h3",     "h4",         "h5",
    "h6",      "head",    "header",  "hr",     "html",  "i",      "iframe",     "img",
    "input",   "ins",     "kbd",     "label",  "li",    "link",   "main",       "mark",
    "meta",    "nav",     "ol",      "option", "p",     "pre",    "q",          "s",
    "samp",    "section", "select",  "small",  "span",  "strong", "style",      "sub",
    "summary", "sup",     "svg",     "table",  "tbody", "td",     "textarea",   "tfoot",
    "th",      "thead",   "title",   "tr",     "tt",    "u",      "ul",         "var",
    "video"};

/// "<td>" or "</td>"
bool is_element(std::string_view text) {
    text.remove_prefix(text.starts_with("</") ? 2 : 1);
    text.remove_suffix(1);
    return std::ranges::find(kElements, text) != std::end(kElements);
}

} // namespace

bool looks_like_mark(std::string_view text) {
    if (text.size() < 3) {
        return false;
    }
    const bool angled = text.front() == '<' && text.back() == '>';
    const bool bracketed = text.front() == '[' && text.back() == ']';
    return find_mark(text) || bracketed || (angled && !is_element(text));
}

const Mark* find_mark(std::string_view text) {
    const auto* it = std::ranges::find(kMarks, text, &Mark::text);
    return it == std::end(kMarks) ? nullptr : it;
}

} // namespace sotto::tokenizer
