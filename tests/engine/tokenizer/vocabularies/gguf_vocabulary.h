// SPDX-License-Identifier: Apache-2.0
// The vocabulary in a GGUF file, with what the reference takes for keys that are missing.
#pragma once

#include "engine/formats/gguf.h"
#include "engine/tokenizer/tokenizer.h"

#include <doctest/doctest.h>

namespace sotto::test {

/// The value of a typed reader, or `otherwise` if the key is missing.
template <class T>
T value_or(Result<std::optional<T>> value, T otherwise) {
    REQUIRE(value.has_value());
    return (*value) ? *std::move(*value) : std::move(otherwise);
}

inline tokenizer::Vocabulary read_gguf_vocabulary(const std::string& path) {
    const auto opened = formats::GgufFile::open(path);
    REQUIRE_MESSAGE(opened.has_value(), (opened ? std::string() : opened.error().message));
    const formats::GgufFile& file = **opened;
    const std::string key = "tokenizer.ggml.";
    tokenizer::Vocabulary v;
    v.model = value_or(file.get_string(key + "model"), std::string());
    v.pre = value_or(file.get_string(key + "pre"), std::string());
    v.tokens = value_or(file.get_strings(key + "tokens"), {});
    v.merges = value_or(file.get_strings(key + "merges"), {});
    v.scores = value_or(file.get_floats(key + "scores"), {});
    const auto types = value_or(file.get_ints(key + "token_type"), {});
    v.types.assign(types.begin(), types.end());
    v.add_space_prefix = value_or(file.get_bool(key + "add_space_prefix"), true);
    const bool is_llama = v.model == "llama";
    const auto id = [&](const char* name, std::int64_t otherwise) {
        return static_cast<tokenizer::TokenId>(value_or(file.get_int(key + name), otherwise));
    };
    v.bos = id("bos_token_id", is_llama ? 1 : -1);
    v.eos = id("eos_token_id", is_llama ? 2 : -1);
    v.unk = id("unknown_token_id", is_llama ? 0 : -1);
    return v;
}

} // namespace sotto::test
