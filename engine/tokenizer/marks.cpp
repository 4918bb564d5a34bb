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

} // namespace

bool looks_like_mark(std::string_view text) {
    if (text.size() < 3 || find_mark(text)) {
        return text.size() >= 3;
    }
    const bool bracketed = text.front() == '[' && text.back() == ']';
    const bool barred = text.starts_with("<|") && text.back() == '>';
    const bool thought = text.front() == '<' && (text.find("think") != std::string_view::npos ||
                                                 text.find("tool") != std::string_view::npos);
    return bracketed || barred || thought;
}

const Mark* find_mark(std::string_view text) {
    const auto* it = std::ranges::find(kMarks, text, &Mark::text);
    return it == std::end(kMarks) ? nullptr : it;
}

} // namespace sotto::tokenizer
