// SPDX-License-Identifier: Apache-2.0
#include "engine/model/vocabulary.h"

#include <algorithm>
#include <limits>
#include <string_view>

namespace sotto::model {
namespace {

constexpr const char* kPrefix = "tokenizer.ggml.";

/// Copies an optional value out; keeps the first error.
template <class T, class Field>
void take(Result<std::optional<T>> value, Field& field, std::optional<Error>& error) {
    if (!value) {
        if (!error) {
            error = std::move(value).error();
        }
        return;
    }
    if (*value) {
        field = static_cast<Field>(*std::move(*value));
    }
}

/// Files of these kinds leave the key out and mean that text begins with BOS.
bool means_bos(const tokenizer::Vocabulary& v) {
    constexpr std::string_view kPre[] = {"llama-bpe",    "llama3",  "llama-v3", "falcon3",
                                         "falcon-h1",    "pixtral", "midm-2.0", "lfm2",
                                         "jina-v5-nano", "tekken",  "chameleon"};
    return v.model == "llama" || v.model == "gemma4" ||
           std::ranges::find(kPre, v.pre) != std::end(kPre);
}

void take_id(const formats::GgufFile& file, const char* key, tokenizer::TokenId& id,
             std::optional<Error>& error) {
    std::int64_t value = id;
    take(file.get_int(std::string(kPrefix) + key), value, error);
    // Larger than any id: the tokenizer's own range check tells of it.
    constexpr std::int64_t max = std::numeric_limits<tokenizer::TokenId>::max();
    id = static_cast<tokenizer::TokenId>(value > max ? max : value < -1 ? -1 : value);
}

} // namespace

Result<tokenizer::Vocabulary> read_vocabulary(const formats::GgufFile& file) {
    tokenizer::Vocabulary v;
    std::optional<Error> error;
    const std::string prefix = kPrefix;
    take(file.get_string(prefix + "model"), v.model, error);
    take(file.get_string(prefix + "pre"), v.pre, error);
    take(file.get_strings(prefix + "tokens"), v.tokens, error);
    take(file.get_strings(prefix + "merges"), v.merges, error);
    take(file.get_floats(prefix + "scores"), v.scores, error);
    take(file.get_bool(prefix + "add_space_prefix"), v.add_space_prefix, error);
    take(file.get_bool(prefix + "add_bos_token"), v.add_bos, error);
    if (!file.find(prefix + "add_bos_token")) {
        v.add_bos = means_bos(v);
    }
    if (v.model == "llama") { // SentencePiece's own numbers, where no key says otherwise
        v.unk = 0;
        v.bos = 1;
        v.eos = 2;
    }
    std::vector<std::int64_t> types;
    take(file.get_ints(prefix + "token_type"), types, error);
    v.types.assign(types.begin(), types.end());
    take_id(file, "bos_token_id", v.bos, error);
    take_id(file, "eos_token_id", v.eos, error);
    take_id(file, "eot_token_id", v.eot, error);
    take_id(file, "unknown_token_id", v.unk, error);
    take_id(file, "padding_token_id", v.pad, error);
    if (error) {
        return *std::move(error);
    }
    if (v.model.empty()) {
        return Error{ErrorCode::bad_file,
                     "key 'tokenizer.ggml.model' is missing: the file has no tokenizer"};
    }
    if (v.tokens.empty()) {
        return Error{ErrorCode::bad_file, "key 'tokenizer.ggml.tokens' is missing or empty"};
    }
    return v;
}

} // namespace sotto::model
