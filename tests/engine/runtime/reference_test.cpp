// SPDX-License-Identifier: Apache-2.0
// Real models against numbers that two other implementations made. Exact equality of long
// greedy texts is no fair test of quantised weights, since near-ties flip: picks are compared under
// teacher forcing, where the recorded margin is above 1.
#include "engine/base/sha256.h"
#include "tests/support/engine_runs.h"
#include "tests/support/sanitized.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>

using namespace sotto;
using namespace sotto::test;
using nlohmann::json;

namespace {

constexpr const char* kText = "/usr/share/common-licenses/GPL-3"; // every Debian system has it

std::string read_file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    REQUIRE_MESSAGE(in.good(), path);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// A real file and what two other implementations say of it.
struct RealModel {
    const char* name;
    const char* variable; // of the environment: where the file is; ./dev test sets it
    const char* data;

    [[nodiscard]] const json& reference() const {
        static std::map<std::string, json> all;
        json& data_of = all[data];
        if (data_of.is_null()) {
            data_of = json::parse(
                read_file(std::string(SOTTO_TEST_DATA) + "/reference/" + data + ".json"));
        }
        return data_of;
    }
    [[nodiscard]] std::shared_ptr<const Model> model() const {
        static std::map<std::string, std::shared_ptr<const Model>> all;
        const char* path = std::getenv(variable);
        const std::string message =
            std::string(variable) + " must name the model's file (./dev test sets it)";
        REQUIRE_MESSAGE(path != nullptr, message);
        std::shared_ptr<const Model>& loaded = all[data];
        loaded = loaded ? loaded : load_or_fail(path);
        return loaded;
    }
};

const RealModel kModels[] = {
    {"SmolLM2 135M, Q4_1", "SOTTO_STARTER_MODEL", "smollm2-135m-instruct-q4_1"},
    {"Gemma 3 270M, Q4_K_M", "SOTTO_GEMMA_MODEL", "gemma-3-270m-q4_k_m"},
};

std::string license_text() {
    std::string text = read_file(kText);
    Sha256 sha;
    sha.update(std::as_bytes(std::span(text)));
    REQUIRE(sha.hex() == kModels[0].reference()["text_sha256"].get<std::string>());
    return text;
}

/// What would have been picked before each forced id, and all logits after the prompt.
struct Forced {
    std::vector<TokenId> picks;
    std::vector<float> last_of_prompt;
};

Forced run_forced(const RealModel& real, const json& prompt, const char* continuation) {
    const auto engine = engine_or_fail(real.model());
    RequestOptions request = request_for(prompt["ids"].get<std::vector<TokenId>>(), -1);
    request.forced = prompt[continuation].get<std::vector<TokenId>>();
    Forced forced;
    request.on_logits = [&](Pos, std::span<const float> logits) {
        forced.picks.push_back(
            static_cast<TokenId>(std::ranges::max_element(logits) - logits.begin()));
        if (forced.last_of_prompt.empty()) {
            forced.last_of_prompt.assign(logits.begin(), logits.end());
        }
    };
    engine->submit(std::move(request))->wait();
    return forced;
}

double cosine(const json& likeliest, const std::vector<float>& logits) {
    double ab = 0, aa = 0, bb = 0;
    for (std::size_t i = 0; i < likeliest["ids"].size(); ++i) {
        const double a = likeliest["values"][i].get<double>();
        const double b = static_cast<double>(logits.at(likeliest["ids"][i].get<std::size_t>()));
        ab += a * b;
        aa += a * a;
        bb += b * b;
    }
    return ab / std::sqrt(aa * bb);
}

} // namespace

TEST_CASE("token ids of odd texts are the reference's, plain and with special tokens") {
    for (const RealModel& real : kModels) {
        CAPTURE(std::string(real.name));
        for (const json& t : real.reference()["tokenize"]) {
            const std::string text = t["text"];
            CAPTURE(text);
            CHECK(real.model()->tokenize(text, false, false) ==
                  t["plain"].get<std::vector<TokenId>>());
            CHECK(real.model()->tokenize(text, true, true) ==
                  t["special"].get<std::vector<TokenId>>());
        }
        CHECK(real.model()->tokenize(license_text(), true, false).size() ==
              real.reference()["ppl"]["text_tokens"].get<std::size_t>());
    }
}

TEST_CASE("rendered chats are the reference's, text and tokens") {
    for (const RealModel& real : kModels) {
        CAPTURE(std::string(real.name));
        for (const json& c : real.reference()["chat"]) {
            std::vector<ChatMessage> messages;
            for (const json& m : c["messages"]) {
                messages.push_back({.role = m["role"], .content = m["content"]});
            }
            const auto rendered = real.model()->render_chat(
                messages, {.add_generation_prompt = c["add_generation_prompt"].get<bool>()});
            REQUIRE(rendered.has_value());
            CHECK(rendered->text == c["text"].get<std::string>());
            CHECK(rendered->tokens == real.model()->tokenize(rendered->text, false, true));
        }
    }
}

TEST_CASE("teacher-forced picks are the reference's wherever its margin is above 1, logits point "
          "the same way") {
    for (const RealModel& real : kModels) {
        CAPTURE(std::string(real.name));
        for (const json& p : real.reference()["prompts"]) {
            if (kSanitized && &p != &real.reference()["prompts"].front()) {
                break; // the others run the same code for minutes
            }
            for (const char* who : {"llama_cpp", "dequant"}) {
                const std::string name = who;
                CAPTURE(name);
                CAPTURE(p["name"].get<std::string>());
                const std::string greedy_key = name + "_greedy";
                const Forced forced = run_forced(real, p, greedy_key.c_str());
                const auto expected = p[greedy_key].get<std::vector<TokenId>>();
                REQUIRE(forced.picks.size() == expected.size());
                int n_clear = 0;
                for (std::size_t i = 0; i < expected.size(); ++i) {
                    if (p[name + "_margin"][i].get<double>() > 1.0) {
                        CAPTURE(i);
                        CHECK(forced.picks[i] == expected[i]);
                        ++n_clear;
                    }
                }
                CHECK(n_clear > 20);
                CHECK(cosine(p[name + "_last"], forced.last_of_prompt) > 0.998);
            }
        }
    }
}

TEST_CASE("perplexity of the licence text is within 1 % of both references") {
    for (const RealModel& real : kModels) {
        CAPTURE(std::string(real.name));
        if (kSanitized && &real != &kModels[0]) {
            break; // as above
        }
        const std::vector<TokenId> tokens = real.model()->tokenize(license_text(), true, false);
        EngineOptions options;
        options.n_ctx = 512;
        const auto engine = engine_or_fail(real.model(), options);
        double nll = 0;
        std::int64_t n = 0;
        const std::size_t n_windows = tokens.size() / 512;
        CHECK(n_windows == real.reference()["ppl"]["windows"].get<std::size_t>());
        // Under a sanitizer the first window stands for all; single windows scatter more.
        const std::size_t n_run = kSanitized ? 1 : n_windows;
        for (std::size_t w = 0; w < n_run; ++w) {
            const std::span window = std::span(tokens).subspan(w * 512, 512);
            RequestOptions request = request_for({window.begin(), window.end()}, 0);
            if (real.model()->adds_bos()) {
                request.prompt.front() = real.model()->bos_token();
            }
            request.score_begin = 256;
            request.score_end = 511;
            request.on_logits = [&](Pos pos, std::span<const float> logits) {
                nll += negative_log_prob(logits, window[static_cast<std::size_t>(pos) + 1]);
                ++n;
            };
            engine->submit(std::move(request))->wait();
        }
        REQUIRE(n == static_cast<std::int64_t>(n_run) * 255);
        const double ppl = std::exp(nll / static_cast<double>(n));
        CAPTURE(ppl);
        for (const char* who : {"llama_cpp", "dequant"}) {
            const json& ppl_of = real.reference()["ppl"];
            const double expected =
                kSanitized ? ppl_of[std::string(who) + "_first_window"] : ppl_of[who];
            CHECK(std::abs(ppl / expected - 1) < (kSanitized ? 0.03 : 0.01));
        }
    }
}
