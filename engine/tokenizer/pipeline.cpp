// SPDX-License-Identifier: Apache-2.0
#include "engine/tokenizer/pipeline.h"

#include "engine/base/utf8.h"
#include "engine/tokenizer/unicode.h"

namespace sotto::tokenizer {
namespace {

std::string shown(std::string_view text) {
    return "'" + utf8::sanitize(text.substr(0, 60)) + "'";
}

Result<Pipeline> byte_level(const Vocabulary& v, std::vector<std::string>& warnings) {
    const SplitRule* rule = find_split_rule(v.pre);
    const std::string name(rule ? std::string_view(v.pre) : split_rules().front().names.front());
    if (!rule) {
        rule = &split_rules().front();
        const bool says_nothing = v.pre.empty() || v.pre == "default";
        warnings.push_back(
            says_nothing
                ? "The file does not say how text is split into words; GPT-2's way is used."
                : "The way text is split into words, " + shown(v.pre) +
                      ", is not known; GPT-2's is used.");
    }
    auto pre_tokenizer = PreTokenizer::make(*rule);
    if (!pre_tokenizer) {
        return std::move(pre_tokenizer).error();
    }
    Pipeline p;
    p.name = "byte-level BPE (" + name + ")";
    p.pre_tokenizer = *std::move(pre_tokenizer);
    p.ignore_merges = rule->ignore_merges;
    return p;
}

/// Blanks written as U+2581, after one more at the front of a text if `prefix`.
Pipeline sentence_piece(bool prefix) {
    std::vector<NormalizerStep> steps;
    if (prefix) {
        steps.push_back({.kind = NormalizerStep::Kind::prepend, .text = " "});
    }
    steps.push_back({.kind = NormalizerStep::Kind::replace,
                     .pattern = Pattern::literal(" "),
                     .text = std::string(kMetaBlank)});
    Pipeline p;
    p.name = "SentencePiece BPE";
    p.normalizer = Normalizer(std::move(steps));
    p.symbols = Pipeline::Symbols::characters;
    p.spellings = {{std::string(kMetaBlank), " "}};
    p.puts_blank_first = prefix;
    return p;
}

} // namespace

Result<Pipeline> pipeline_of(const Vocabulary& v, std::vector<std::string>& warnings) {
    if (v.model == "gpt2") {
        return byte_level(v, warnings);
    }
    if (v.model == "llama") {
        Pipeline p = sentence_piece(v.add_space_prefix);
        p.merges_by_score = true;
        return p;
    }
    if (v.model == "gemma4") {
        auto line_ends = Pattern::ours(R"(\n++)");
        if (!line_ends) {
            return std::move(line_ends).error();
        }
        Pipeline p = sentence_piece(false);
        p.pre_tokenizer = PreTokenizer({{.pattern = *std::move(line_ends)}});
        return p;
    }
    return Error{ErrorCode::unsupported,
                 "tokenizer " + shown(v.model) +
                     " is not supported yet; 'gpt2' (byte-level BPE), 'llama' (SentencePiece BPE) "
                     "and 'gemma4' are"};
}

} // namespace sotto::tokenizer
