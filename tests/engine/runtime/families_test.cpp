// SPDX-License-Identifier: Apache-2.0
// Every architecture and weight type against numbers that numpy made.
#include "tests/support/engine_runs.h"
#include "tests/support/tiny_reference.h"

#include <doctest/doctest.h>

using namespace sotto;
using namespace sotto::test;

namespace {

struct Outcome {
    std::vector<float> logits; // after the prompt
    Answer answer;
};

Outcome run_model(const std::string& path, const std::vector<TokenId>& prompt, int n,
                  CacheType cache = CacheType::F32) {
    EngineOptions options;
    options.n_threads = 2;
    options.n_batch = 16; // several chunks
    options.cache_type = cache;
    const auto engine = engine_or_fail(load_or_fail(path), options);
    Outcome out;
    RequestOptions request = request_for(prompt, n);
    request.score_begin = static_cast<Pos>(prompt.size()) - 1;
    request.score_end = static_cast<Pos>(prompt.size());
    LogitsHash hash;
    request.on_logits = [&](Pos, std::span<const float> logits) {
        if (out.logits.empty()) {
            out.logits.assign(logits.begin(), logits.end());
        }
        hash.add(logits);
    };
    out.answer.reason = FinishReason::error;
    request.on_event = [&](const Event& event) {
        if (event.kind == Event::Kind::token) {
            out.answer.tokens.push_back(event.token);
        } else if (event.kind == Event::Kind::finished) {
            out.answer.reason = event.reason;
            out.answer.error = event.error;
        }
    };
    engine->submit(std::move(request))->wait();
    out.answer.hash = hash.hex();
    return out;
}

bool is_f32_folder(const std::string& family) {
    return read_json(models_folder() + family + "/hub/config.json")["torch_dtype"] == "float32";
}

} // namespace

TEST_CASE("F32 files of every architecture give numpy's logits and tokens") {
    for (const std::string family : kFamilies) {
        CAPTURE(family);
        const TinyReference reference = tiny_reference(family);
        const Outcome out = run_model(models_folder() + family + "/f32.gguf", reference.prompt, 32);
        REQUIRE_MESSAGE(out.answer.reason == FinishReason::length, out.answer.error.message);
        REQUIRE(out.logits.size() == reference.logits.size());
        CHECK(cosine(out.logits, reference.logits) > 0.99999);
        CHECK(largest_difference(out.logits, reference.logits) < 1e-2f);
        CHECK(out.answer.tokens == reference.greedy);
    }
}

TEST_CASE("folders give the numbers of the file, in F32 its bits") {
    for (const std::string family : kFamilies) {
        CAPTURE(family);
        const TinyReference reference = tiny_reference(family);
        const Outcome folder = run_model(models_folder() + family + "/hub", reference.prompt, 32);
        REQUIRE_MESSAGE(folder.answer.reason == FinishReason::length, folder.answer.error.message);
        CHECK(cosine(folder.logits, reference.logits) > 0.9999);
        CHECK(folder.answer.tokens == reference.greedy);
        const Outcome file =
            run_model(models_folder() + family + "/f32.gguf", reference.prompt, 32);
        // Weights of 16 bits are widened exactly, so those folders give the file's bits too.
        CHECK(folder.answer.hash == file.answer.hash);
        if (is_f32_folder(family)) {
            CHECK(largest_difference(folder.logits, reference.logits) < 1e-2f);
        }
    }
}

TEST_CASE("an F16 cache keeps every family's tokens") {
    for (const std::string family : kFamilies) {
        CAPTURE(family);
        const TinyReference reference = tiny_reference(family);
        const Outcome out =
            run_model(models_folder() + family + "/f32.gguf", reference.prompt, 32, CacheType::F16);
        CHECK(cosine(out.logits, reference.logits) > 0.9999);
        CHECK(out.answer.tokens == reference.greedy);
    }
}

TEST_CASE("files of every quantised type give the logits of their dequantised weights") {
    for (const std::string set : {"quant32", "quant256"}) {
        const nlohmann::json data = read_json(models_folder() + set + "/reference.json");
        const std::vector<TokenId> prompt = data["prompt"];
        for (const auto& item : data["files"].items()) {
            const std::string name = item.key();
            const nlohmann::json& file = item.value();
            CAPTURE(name);
            const std::vector<float> expected = file["logits"];
            const Outcome out = run_model(models_folder() + set + "/" + name, prompt, 1);
            REQUIRE_MESSAGE(out.answer.reason == FinishReason::length, out.answer.error.message);
            CHECK(cosine(out.logits, expected) >
                  (name.find("q8_0") != std::string::npos ? 0.999 : 0.995));
        }
    }
}
