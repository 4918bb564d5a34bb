// SPDX-License-Identifier: Apache-2.0
#include "engine/tokenizer/json_steps.h"
#include "engine/tokenizer/unicode.h"

namespace sotto::tokenizer {
namespace {

void add_replace(json::Value value, JsonFields& fields, Pipeline& pipeline) {
    const auto pattern = fields.find(value, "pattern", json::Kind::object);
    const std::string_view from = pattern ? fields.string(*pattern, "String") : "";
    if (from.empty()) {
        fields.refuse("decoder", "Replace by a regular expression");
    } else {
        pipeline.spellings.emplace_back(from, fields.string(value, "content"));
    }
}

/// Only what takes one blank from the front of a text.
void add_strip(json::Value value, JsonFields& fields, Pipeline& pipeline) {
    const std::int64_t start = fields.integer(value, "start", 0);
    if (fields.string(value, "content") != " " || start < 0 || start > 1 ||
        fields.integer(value, "stop", 0) != 0) {
        fields.refuse("decoder", "Strip of other than one blank in front");
    }
    pipeline.puts_blank_first = pipeline.puts_blank_first || start == 1;
}

void add_step(json::Value value, JsonFields& fields, Pipeline& pipeline) {
    const std::string_view type = fields.string(value, "type");
    if (type == "Sequence") {
        if (const auto list = fields.find(value, "decoders", json::Kind::array)) {
            for (std::size_t i = 0; i < list->size(); ++i) {
                add_step(list->at(i), fields, pipeline);
            }
        }
    } else if (type == "Replace") {
        add_replace(value, fields, pipeline);
    } else if (type == "Strip") {
        add_strip(value, fields, pipeline);
    } else if (type == "Metaspace") {
        pipeline.spellings.emplace_back(fields.string(value, "replacement", kMetaBlank), " ");
        const bool always = fields.boolean(value, "add_prefix_space", true);
        pipeline.puts_blank_first =
            fields.string(value, "prepend_scheme", always ? "always" : "never") != "never";
        if (pipeline.spellings.back().first.empty()) {
            fields.fail(ErrorCode::bad_file, "'replacement' is empty");
        }
    } else if (type != "ByteLevel" && type != "ByteFallback" && type != "Fuse") {
        fields.refuse("decoder", type); // those three are what token_bytes() does anyway
    }
}

std::string_view first_token(json::Value value, JsonFields& fields) {
    const std::string_view type = fields.string(value, "type");
    if (type == "TemplateProcessing") {
        const auto single = fields.find(value, "single", json::Kind::array);
        const auto first = single && single->size() > 0
                               ? fields.find(single->at(0), "SpecialToken", json::Kind::object)
                               : std::nullopt;
        return first ? fields.string(*first, "id") : "";
    }
    if (type == "Sequence") {
        std::string_view found;
        const auto list = fields.find(value, "processors", json::Kind::array);
        for (std::size_t i = 0; list && i < list->size(); ++i) {
            const std::string_view token = first_token(list->at(i), fields);
            found = found.empty() ? token : found;
        }
        return found;
    }
    if (type != "ByteLevel") {
        fields.refuse("post_processor", type);
    }
    return {};
}

} // namespace

void read_decoder(json::Value root, JsonFields& fields, Pipeline& pipeline) {
    if (const auto value = fields.find(root, "decoder", json::Kind::object)) {
        add_step(*value, fields, pipeline);
    }
}

std::string_view read_first_token(json::Value root, JsonFields& fields) {
    const auto value = fields.find(root, "post_processor", json::Kind::object);
    return value ? first_token(*value, fields) : "";
}

} // namespace sotto::tokenizer
