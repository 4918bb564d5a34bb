// SPDX-License-Identifier: Apache-2.0
#include "engine/tokenizer/json_steps.h"

#include <optional>

namespace sotto::tokenizer {
namespace {

std::optional<UnicodeForm> form_named(std::string_view name) {
    return name == "NFC"    ? std::optional(UnicodeForm::nfc)
           : name == "NFD"  ? std::optional(UnicodeForm::nfd)
           : name == "NFKC" ? std::optional(UnicodeForm::nfkc)
           : name == "NFKD" ? std::optional(UnicodeForm::nfkd)
                            : std::nullopt;
}

// Recursion here and in the other lists is bounded by the depth that the JSON reader allows.
void add_step(json::Value value, JsonFields& fields, std::vector<NormalizerStep>& steps) {
    using Kind = NormalizerStep::Kind;
    const std::string_view type = fields.string(value, "type");
    if (type == "Sequence") {
        if (const auto list = fields.find(value, "normalizers", json::Kind::array)) {
            for (std::size_t i = 0; i < list->size(); ++i) {
                add_step(list->at(i), fields, steps);
            }
        }
    } else if (const auto form = form_named(type)) {
        steps.push_back({.kind = Kind::form, .form = *form});
    } else if (type == "Lowercase") {
        steps.push_back({.kind = Kind::lowercase});
    } else if (type == "Replace") {
        steps.push_back({.kind = Kind::replace,
                         .pattern = read_pattern(value, fields),
                         .text = std::string(fields.string(value, "content"))});
    } else if (type == "Prepend") {
        steps.push_back(
            {.kind = Kind::prepend, .text = std::string(fields.string(value, "prepend"))});
    } else if (type == "Strip") {
        steps.push_back({.kind = Kind::strip,
                         .left = fields.boolean(value, "strip_left", true),
                         .right = fields.boolean(value, "strip_right", true)});
    } else {
        fields.refuse("normalizer", type);
    }
}

} // namespace

std::vector<NormalizerStep> read_normalizer(json::Value root, JsonFields& fields) {
    std::vector<NormalizerStep> steps;
    if (const auto value = fields.find(root, "normalizer", json::Kind::object)) {
        add_step(*value, fields, steps);
    }
    return steps;
}

std::shared_ptr<const Pattern> read_pattern(json::Value step, JsonFields& fields) {
    const auto value = fields.find(step, "pattern", json::Kind::object);
    if (value && value->find("String")) {
        return Pattern::literal(std::string(fields.string(*value, "String")));
    }
    if (!value || !value->find("Regex")) {
        fields.fail(ErrorCode::bad_file, "a step has no pattern of kind 'String' or 'Regex'");
        return nullptr;
    }
    const std::string_view regex = fields.string(*value, "Regex");
    const char* known = our_pattern(regex);
    auto made = known ? Pattern::ours(known) : Pattern::from_file(regex);
    if (!made) {
        fields.fail(made.error().code, made.error().message);
        return nullptr;
    }
    return *std::move(made);
}

} // namespace sotto::tokenizer
