// SPDX-License-Identifier: Apache-2.0
#include "engine/tokenizer/tokenizer_json.h"

#include "engine/tokenizer/bpe_tokenizer.h"
#include "engine/tokenizer/json_steps.h"
#include "engine/tokenizer/json_vocabulary.h"
#include "engine/tokenizer/vocabulary_check.h"

namespace sotto::tokenizer {
namespace {

constexpr const char* kFile = "tokenizer.json";
constexpr const char* kConfigFile = "tokenizer_config.json";

Error named(const Error& error, const char* file) {
    return {error.code, std::string(file) + ": " + error.message};
}

/// What the model itself says; its tokens apart.
void read_model(json::Value root, JsonFields& fields, Pipeline& pipeline,
                std::vector<std::string>& warnings) {
    const auto model = fields.find(root, "model", json::Kind::object);
    if (!model) {
        fields.fail(ErrorCode::bad_file, "there is no 'model'");
        return;
    }
    const std::string_view type = // old files do not name it
        fields.string(*model, "type", model->find("merges") ? "BPE" : "");
    if (type != "BPE") {
        fields.refuse("model", type);
    }
    for (const char* affix : {"continuing_subword_prefix", "end_of_word_suffix"}) {
        if (const std::string_view text = fields.string(*model, affix); !text.empty()) {
            fields.refuse(affix, text);
        }
    }
    if (const auto dropout = model->find("dropout"); dropout && dropout->number() > 0) {
        warnings.emplace_back("The tokenizer's dropout is for training; it is not done.");
    }
    pipeline.byte_fallback = fields.boolean(*model, "byte_fallback", false);
    pipeline.fuse_unknown = fields.boolean(*model, "fuse_unk", false);
    pipeline.ignore_merges = fields.boolean(*model, "ignore_merges", false);
}

Pipeline read_pipeline(json::Value root, JsonFields& fields, std::vector<std::string>& warnings) {
    Pipeline p;
    read_model(root, fields, p, warnings);
    p.normalizer = Normalizer(read_normalizer(root, fields));
    PreTokenizerSteps steps = read_pre_tokenizer(root, fields);
    p.pre_tokenizer = PreTokenizer(std::move(steps.steps));
    p.symbols = steps.byte_level ? Pipeline::Symbols::bytes : Pipeline::Symbols::characters;
    p.name =
        steps.byte_level ? "byte-level BPE (tokenizer.json)" : "SentencePiece BPE (tokenizer.json)";
    read_decoder(root, fields, p);
    return p;
}

Vocabulary read_vocabulary(const HubFiles& files, JsonFields& fields, JsonFields& config_fields,
                           std::vector<std::string>& warnings) {
    const json::Value root = files.tokenizer;
    JsonVocabulary reader(warnings);
    const std::string_view first_token = read_first_token(root, fields);
    const auto model = fields.find(root, "model", json::Kind::object);
    if (fields.error() || !model) {
        return {};
    }
    reader.read(root, fields);
    reader.set_first(first_token);
    if (files.config) {
        reader.read_config(*files.config, config_fields);
    }
    reader.set_unknown(fields.string(*model, "unk_token"));
    return reader.take();
}

} // namespace

Result<std::unique_ptr<Tokenizer>> read_tokenizer_json(const HubFiles& files,
                                                       std::vector<std::string>& warnings) {
    if (!files.tokenizer.is(json::Kind::object)) {
        return Error{ErrorCode::bad_file, std::string(kFile) + ": holds no object"};
    }
    JsonFields fields(kFile), config_fields(kConfigFile);
    Pipeline pipeline = read_pipeline(files.tokenizer, fields, warnings);
    auto vocabulary = read_vocabulary(files, fields, config_fields, warnings);
    for (const JsonFields* file : {&fields, &config_fields}) {
        if (file->error()) {
            return *file->error();
        }
    }
    vocabulary.model = pipeline.symbols == Pipeline::Symbols::bytes ? "gpt2" : "llama";
    vocabulary.add_space_prefix = pipeline.puts_blank_first;
    vocabulary.more_eog = files.more_eog;
    auto checked = keep_tokens(vocabulary, files.n_rows, warnings);
    if (checked) {
        checked = check_vocabulary(vocabulary, warnings);
    }
    if (!checked) {
        return named(checked.error(), kFile);
    }
    auto made = BpeTokenizer::make(std::move(vocabulary), std::move(pipeline), warnings);
    return made ? std::move(made) : named(made.error(), kFile);
}

} // namespace sotto::tokenizer
