// SPDX-License-Identifier: Apache-2.0
// Pages that requests share, give up and compute again: the answers are those of a fresh engine.
#include "tests/support/engine_runs.h"
#include "tests/support/sanitized.h"
#include "tests/support/temp_file.h"
#include "tests/support/tiny_model.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <random>

using namespace sotto;
using namespace sotto::test;

namespace {

struct Fixture {
    TempFile file{tiny_model().build()};
    std::shared_ptr<const Model> model = load_or_fail(file.path());

    std::int64_t page_bytes() const { return 64 * model->info().kv_bytes(CacheType::F16, 1); }
    std::unique_ptr<Engine> engine(std::int64_t n_pages = 0) const {
        EngineOptions options;
        options.n_threads = 2;
        options.n_batch = 64;
        options.max_kv_bytes = n_pages * page_bytes();
        return engine_or_fail(model, options);
    }
};

std::vector<TokenId> joined(std::vector<TokenId> a, const std::vector<TokenId>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

} // namespace

TEST_CASE_FIXTURE(Fixture, "a prompt that others are reading is computed once") {
    const auto e = engine();
    const std::vector<TokenId> system = some_tokens(256);
    std::vector<std::unique_ptr<Running>> running;
    for (unsigned i = 0; i < 8; ++i) {
        running.push_back(std::make_unique<Running>(
            *e, request_for(joined(system, some_tokens(20, 277, i + 1)), 5)));
    }
    std::int64_t computed = 0;
    for (unsigned i = 0; i < 8; ++i) {
        const Answer answer = running[i]->wait();
        computed += answer.timings.prefill_tokens;
        const Answer alone =
            run(*engine(), request_for(joined(system, some_tokens(20, 277, i + 1)), 5));
        CHECK(answer.hash == alone.hash);
        CHECK(answer.tokens == alone.tokens);
    }
    CHECK(computed <= 256 + 8 * 20 + 8 * 64); // pages that two began at the same time count twice
    const EngineStatus status = e->status();
    CHECK(status.prompt_tokens == 8 * 276);
    CHECK(status.reused_tokens == 8 * 276 - computed);
}

TEST_CASE_FIXTURE(Fixture, "chats that take turns, fork and are edited compute only what is new") {
    const auto e = engine();
    const std::vector<TokenId> a = some_tokens(150, 277, 1), b = some_tokens(150, 277, 2);
    run(*e, request_for(a, 0));
    run(*e, request_for(b, 0));
    const auto reused = [&](const std::vector<TokenId>& prompt) {
        return run(*e, request_for(prompt, 0)).timings.reused_tokens;
    };
    CHECK(reused(joined(a, some_tokens(30, 277, 3))) == 150); // back to the first chat
    CHECK(reused(joined(b, some_tokens(30, 277, 4))) == 150);
    CHECK(reused(joined(a, some_tokens(40, 277, 5))) == 150); // a second branch from the same place
    CHECK(reused(joined(a, some_tokens(30, 277, 3))) == 179); // both are still there
    std::vector<TokenId> edited = a;
    edited[100] = edited[100] == 7 ? 8 : 7;
    CHECK(reused(edited) == 100);
    CHECK(reused(a) == 149);
}

TEST_CASE_FIXTURE(Fixture, "requests that do not fit into memory together are paused, not failed") {
    const auto e = engine(10); // 640 tokens, for 6 requests of 150 + 60
    std::vector<std::unique_ptr<Running>> running;
    const auto request = [](unsigned i) {
        SamplingParams params = greedy();
        params.temperature = i % 2 == 0 ? 0.0f : 1.0f;
        params.seed = i;
        return request_for(some_tokens(150, 277, i + 1), 60, params);
    };
    for (unsigned i = 0; i < 6; ++i) {
        running.push_back(std::make_unique<Running>(*e, request(i)));
    }
    std::int64_t recomputed = 0;
    for (unsigned i = 0; i < 6; ++i) {
        const Answer answer = running[i]->wait();
        CHECK(answer.reason == FinishReason::length);
        const Answer alone = run(*engine(), request(i));
        CHECK(answer.tokens == alone.tokens);
        CHECK(answer.hash == alone.hash);
        recomputed += answer.timings.recomputed_tokens;
    }
    CHECK(recomputed > 0);
    CHECK(e->status().kv_bytes <= 10 * page_bytes());
}

TEST_CASE_FIXTURE(Fixture, "a request that no memory can hold ends with an error, the next runs") {
    const auto e = engine(3);
    const Answer refused = run(*e, request_for(some_tokens(300), 5));
    CHECK(refused.reason == FinishReason::error);
    CHECK(refused.error.code == ErrorCode::no_memory);
    const Answer longer = run(*e, request_for(some_tokens(180), -1));
    CHECK(longer.reason == FinishReason::error); // in the middle of its answer
    CHECK(longer.tokens.size() == 13);           // 180 + 12 tokens are three pages
    CHECK(run(*e, request_for(some_tokens(100, 277, 5), 5)).reason == FinishReason::length);
}

TEST_CASE_FIXTURE(Fixture, "a known beginning that could not even be copied is computed again") {
    const auto e = engine(1);
    run(*e, request_for(some_tokens(50), 0));
    const Answer answer = run(*e, request_for(some_tokens(40), 10));
    CHECK(answer.reason == FinishReason::length);
    CHECK(answer.timings.reused_tokens == 0); // its page is the only one there is
    CHECK(answer.hash == run(*engine(), request_for(some_tokens(40), 10)).hash);
}

TEST_CASE_FIXTURE(Fixture, "many requests beside a long prompt: all go on, in any order") {
    EngineOptions options;
    options.n_threads = 2;
    for (const int share : {0, 25, 100}) {
        options.oldest_share = share;
        options.token_budget = 16;
        options.n_slots = 4;
        const auto e = engine_or_fail(model, options);
        std::vector<std::unique_ptr<Running>> running;
        running.push_back(std::make_unique<Running>(*e, request_for(some_tokens(400, 277, 99), 3)));
        for (unsigned i = 0; i < 12; ++i) {
            running.push_back(
                std::make_unique<Running>(*e, request_for(some_tokens(20, 277, i + 1), 10)));
        }
        for (const auto& r : running) {
            CHECK(r->wait().reason == FinishReason::length);
        }
    }
}

namespace {

/// Random requests over a model: forks, edits and turns more of what was there, several at once,
/// some cancelled, with so little memory that pages are given up all the time.
void random_histories(const std::shared_ptr<const Model>& model, CacheTypes types, int n_rounds,
                      unsigned seed) {
    EngineOptions options;
    options.n_threads = 2;
    options.n_batch = 48;
    options.n_slots = 3;
    options.cache_type = types;
    options.token_budget = 20;
    options.max_kv_bytes = 14 * 64 * model->info().kv_bytes(types, 1);
    const auto shared = engine_or_fail(model, options);
    std::mt19937 random(seed);
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    std::vector<std::vector<TokenId>> histories{some_tokens(40)};
    for (int round = 0; round < n_rounds; ++round) {
        std::vector<RequestOptions> requests;
        std::vector<std::unique_ptr<Running>> running;
        for (int i = 1 + below(4); i > 0; --i) {
            auto prompt =
                histories[static_cast<std::size_t>(below(static_cast<int>(histories.size())))];
            prompt.resize(static_cast<std::size_t>(1 + below(static_cast<int>(prompt.size()))));
            prompt = joined(prompt, some_tokens(1 + below(60), 277, random()));
            prompt.resize(std::min<std::size_t>(prompt.size(), 250));
            SamplingParams params = greedy();
            params.temperature = below(2) == 0 ? 0.0f : 0.8f;
            params.seed = random() % 100;
            requests.push_back(request_for(prompt, 1 + below(20), params));
            running.push_back(std::make_unique<Running>(*shared, requests.back()));
            if (below(5) == 0) {
                running.back()->request().cancel();
            }
        }
        for (std::size_t i = 0; i < running.size(); ++i) {
            const Answer answer = running[i]->wait();
            histories.push_back(joined(requests[i].prompt, answer.tokens));
            if (answer.reason == FinishReason::cancelled) {
                continue;
            }
            REQUIRE(answer.reason != FinishReason::error);
            EngineOptions fresh;
            fresh.n_threads = 1;
            fresh.cache_type = types;
            const Answer alone = run(*engine_or_fail(model, fresh), requests[i]);
            REQUIRE(answer.tokens == alone.tokens);
            REQUIRE(answer.hash == alone.hash);
        }
        while (histories.size() > 12) {
            histories.erase(histories.begin() + below(12));
        }
    }
}

} // namespace

TEST_CASE_FIXTURE(Fixture, "random histories of forks, edits, cancels and evictions give the bits "
                           "of a fresh computation") {
    const int n_rounds = kSanitized ? 8 : 40;
    random_histories(model, CacheType::F16, n_rounds, 1);
    random_histories(model, CacheType::F32, n_rounds, 2);
    random_histories(model, CacheTypes(CacheType::Q8_0, CacheType::F16), n_rounds, 3);
}

TEST_CASE("the same with a sliding window") {
    const auto model = load_or_fail(SOTTO_TEST_DATA "/models/gemma3/f32.gguf");
    random_histories(model, CacheType::F16, kSanitized ? 8 : 40, 4);
}
