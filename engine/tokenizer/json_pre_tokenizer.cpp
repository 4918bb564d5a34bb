// SPDX-License-Identifier: Apache-2.0
#include "engine/tokenizer/json_steps.h"
#include "engine/tokenizer/unicode.h"

#include <optional>

namespace sotto::tokenizer {
namespace {

std::optional<MatchFate> fate_named(std::string_view name) {
    return name == "Isolated"             ? std::optional(MatchFate::isolated)
           : name == "Removed"            ? std::optional(MatchFate::removed)
           : name == "MergedWithPrevious" ? std::optional(MatchFate::merged_with_previous)
           : name == "MergedWithNext"     ? std::optional(MatchFate::merged_with_next)
           : name == "Contiguous"         ? std::optional(MatchFate::contiguous)
                                          : std::nullopt;
}

std::shared_ptr<const Pattern> fixed(std::string_view regex, JsonFields& fields) {
    auto made = Pattern::ours(regex);
    if (!made) {
        fields.fail(made.error().code, made.error().message);
        return nullptr;
    }
    return *std::move(made);
}

MatchFate read_fate(json::Value value, std::string_view otherwise, JsonFields& fields) {
    const std::string_view name = fields.string(value, "behavior", otherwise);
    const auto fate = fate_named(name);
    if (!fate) {
        fields.refuse("behavior", name);
    }
    return fate.value_or(MatchFate::isolated);
}

SplitStep split_step(json::Value value, JsonFields& fields) {
    return {.pattern = read_pattern(value, fields),
            .fate = read_fate(value, "Isolated", fields),
            .invert = fields.boolean(value, "invert", false)};
}

SplitStep metaspace(json::Value value, JsonFields& fields) {
    SplitStep step{.kind = SplitStep::Kind::metaspace};
    step.mark = std::string(fields.string(value, "replacement", kMetaBlank));
    step.splits = fields.boolean(value, "split", true);
    const bool always = fields.boolean(value, "add_prefix_space", true); // before prepend_scheme
    const std::string_view scheme =
        fields.string(value, "prepend_scheme", always ? "always" : "never");
    step.blank_first = scheme == "always"  ? BlankFirst::always
                       : scheme == "first" ? BlankFirst::first
                                           : BlankFirst::never;
    if (scheme != "always" && scheme != "first" && scheme != "never") {
        fields.refuse("prepend_scheme", scheme);
    }
    if (step.mark.empty()) {
        fields.fail(ErrorCode::bad_file, "'replacement' is empty");
    }
    return step;
}

void add_byte_level(json::Value value, JsonFields& fields, PreTokenizerSteps& result) {
    if (fields.boolean(value, "add_prefix_space", true)) {
        result.steps.push_back({.kind = SplitStep::Kind::blank_first});
    }
    if (fields.boolean(value, "use_regex", true)) {
        result.steps.push_back({.pattern = fixed(gpt2_pattern(), fields)});
    }
    result.byte_level = true;
}

void add_step(json::Value value, JsonFields& fields, PreTokenizerSteps& result) {
    const std::string_view type = fields.string(value, "type");
    if (type == "Sequence") {
        if (const auto list = fields.find(value, "pretokenizers", json::Kind::array)) {
            for (std::size_t i = 0; i < list->size(); ++i) {
                add_step(list->at(i), fields, result);
            }
        }
    } else if (result.byte_level) { // it would see stand-ins for bytes instead of the text
        fields.refuse("pre_tokenizer after ByteLevel", type);
    } else if (type == "ByteLevel") {
        add_byte_level(value, fields, result);
    } else if (type == "Split") {
        result.steps.push_back(split_step(value, fields));
    } else if (type == "Digits") {
        const bool alone = fields.boolean(value, "individual_digits", false);
        result.steps.push_back({.pattern = fixed(alone ? R"(\p{N})" : R"(\p{N}++)", fields)});
    } else if (type == "Punctuation") {
        result.steps.push_back({.pattern = fixed(R"([\p{P}!-/:-@\[-`{-~])", fields),
                                .fate = read_fate(value, "Isolated", fields)});
    } else if (type == "Whitespace") {
        auto words = Pattern::from_file(R"(\w+|[^\w\s]+)");
        result.steps.push_back(
            {.pattern = words ? *words : nullptr, .fate = MatchFate::removed, .invert = true});
    } else if (type == "WhitespaceSplit") {
        auto blanks = Pattern::from_file(R"(\s)");
        result.steps.push_back({.pattern = blanks ? *blanks : nullptr, .fate = MatchFate::removed});
    } else if (type == "Metaspace") {
        result.steps.push_back(metaspace(value, fields));
    } else {
        fields.refuse("pre_tokenizer", type);
    }
}

} // namespace

PreTokenizerSteps read_pre_tokenizer(json::Value root, JsonFields& fields) {
    PreTokenizerSteps result;
    if (const auto value = fields.find(root, "pre_tokenizer", json::Kind::object)) {
        add_step(*value, fields, result);
    }
    return result;
}

} // namespace sotto::tokenizer
