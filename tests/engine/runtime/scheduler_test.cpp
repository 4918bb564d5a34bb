// SPDX-License-Identifier: Apache-2.0
#include "tests/support/engine_runs.h"
#include "tests/support/sanitized.h"
#include "tests/support/temp_file.h"
#include "tests/support/tiny_model.h"

#include <doctest/doctest.h>

#include <chrono>
#include <thread>

using namespace sotto;
using namespace sotto::test;
using Clock = std::chrono::steady_clock;

namespace {

struct Fixture {
    TempFile file{tiny_model().build()};
    std::shared_ptr<const Model> model = load_or_fail(file.path());

    std::unique_ptr<Engine> engine(int n_threads = 2, int n_batch = 64) const {
        EngineOptions options;
        options.n_threads = n_threads;
        options.n_batch = n_batch;
        return engine_or_fail(model, options);
    }
};

std::int64_t ms_since(Clock::time_point start) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start).count();
}

} // namespace

TEST_CASE_FIXTURE(Fixture,
                  "requests that cannot run end with an error that names the thing and the limit") {
    const auto e = engine();
    CHECK(run(*e, request_for({}, 3)).error.message == "the prompt is empty");
    const Answer bad_id = run(*e, request_for({1, 2, 277}, 3));
    CHECK(bad_id.error.code == ErrorCode::bad_argument);
    CHECK(bad_id.error.message.find("277") != std::string::npos);
    CHECK(run(*e, request_for({-1}, 3)).reason == FinishReason::error);
    const Answer too_long = run(*e, request_for(some_tokens(513), 3));
    CHECK(too_long.error.code == ErrorCode::too_long);
    CHECK(too_long.error.message.find("513") != std::string::npos);
    CHECK(too_long.error.message.find("512") != std::string::npos);
    SamplingParams params;
    params.top_p = 2;
    CHECK(run(*e, request_for({1}, 3, params)).error.code == ErrorCode::bad_argument);
    CHECK(run(*e, request_for({1}, 3)).reason == FinishReason::length); // and the engine goes on
}

TEST_CASE_FIXTURE(Fixture, "limits: no token, some tokens, a full context") {
    const auto e = engine();
    const Answer none = run(*e, request_for(some_tokens(10), 0));
    CHECK(none.reason == FinishReason::length);
    CHECK(none.tokens.empty());
    CHECK(none.timings.prefill_tokens == 10);
    const Answer full = run(*e, request_for(some_tokens(500, 277, 9), -1));
    CHECK(full.reason == FinishReason::context);
    CHECK(full.tokens.size() == 13); // 500 + 12 are in the context, the last was picked from it
    CHECK(run(*e, request_for(some_tokens(512, 277, 3), -1)).tokens.size() == 1);
    // After a full context a new chat works.
    CHECK(run(*e, request_for(some_tokens(5, 277, 4), 4)).tokens.size() == 4);
}

TEST_CASE_FIXTURE(
    Fixture,
    "a prompt that continues an earlier one computes only what is new, with the same bits") {
    std::vector<TokenId> first = some_tokens(100);
    const auto e = engine();
    const Answer one = run(*e, request_for(first, 10));
    std::vector<TokenId> second = first;
    second.insert(second.end(), one.tokens.begin(), one.tokens.end());
    const std::vector<TokenId> more = some_tokens(20, 277, 77);
    second.insert(second.end(), more.begin(), more.end());
    const Answer reused = run(*e, request_for(second, 10));
    CHECK(reused.timings.reused_tokens == 109); // the last picked token was not computed yet
    CHECK(reused.timings.prefill_tokens == 21);
    const Answer fresh = run(*engine(), request_for(second, 10));
    CHECK(fresh.timings.reused_tokens == 0);
    CHECK(reused.hash == fresh.hash);
    // The same prompt again, and a shorter one: the last token is computed in any case.
    CHECK(run(*e, request_for(second, 10)).hash == fresh.hash);
    const Answer shorter = run(*e, request_for(first, 10));
    CHECK(shorter.timings.reused_tokens == 99);
    CHECK(shorter.hash == one.hash);
}

TEST_CASE_FIXTURE(Fixture, "requests that run together give what each gives alone") {
    std::vector<Answer> alone;
    for (unsigned i = 0; i < 6; ++i) {
        SamplingParams params = greedy();
        params.temperature = i % 2 == 0 ? 0.0f : 1.0f;
        params.seed = i;
        alone.push_back(
            run(*engine(1),
                request_for(some_tokens(30 + 17 * static_cast<int>(i), 277, i + 1), 20, params)));
    }
    const auto e = engine(2, 64);
    std::vector<std::unique_ptr<Running>> running;
    for (unsigned i = 0; i < 6; ++i) {
        SamplingParams params = greedy();
        params.temperature = i % 2 == 0 ? 0.0f : 1.0f;
        params.seed = i;
        running.push_back(std::make_unique<Running>(
            *e, request_for(some_tokens(30 + 17 * static_cast<int>(i), 277, i + 1), 20, params)));
    }
    for (std::size_t i = 0; i < running.size(); ++i) {
        const Answer together = running[i]->wait();
        CHECK(together.tokens == alone[i].tokens);
        CHECK(together.hash == alone[i].hash);
    }
}

TEST_CASE_FIXTURE(Fixture, "more requests than run at once wait their turn") {
    const auto e = engine();
    std::vector<std::unique_ptr<Running>> running;
    for (unsigned i = 0; i < 40; ++i) {
        running.push_back(
            std::make_unique<Running>(*e, request_for(some_tokens(5, 277, i + 1), 5)));
    }
    for (const auto& r : running) {
        CHECK(r->wait().reason == FinishReason::length);
    }
}

TEST_CASE_FIXTURE(Fixture, "the thread count changes while an answer is written, its bits do not") {
    const RequestOptions request = request_for(some_tokens(20), 60);
    const Answer still = run(*engine(1), request);
    const auto e = engine(1);
    RequestOptions changing = request;
    changing.on_event = [&e](const Event& event) {
        if (event.kind == Event::Kind::token && event.index % 5 == 0) {
            e->set_n_threads(1 + static_cast<int>(event.index / 5 % 4));
        }
    };
    const Answer changed = run(*e, changing);
    CHECK(changed.hash == still.hash);
    CHECK(changed.tokens == still.tokens);
}

TEST_CASE_FIXTURE(Fixture, "settings act from the next token on and are logged with its index") {
    const auto e = engine(1);
    std::unique_ptr<Running> running;
    std::mutex ready;
    ready.lock();
    RequestOptions request = request_for(some_tokens(20), 30);
    SamplingParams hot = greedy();
    hot.temperature = 2;
    hot.seed = 7;
    request.on_event = [&](const Event& event) {
        if (event.kind == Event::Kind::token && event.index == 9) {
            const std::lock_guard wait_until_assigned(ready);
            running->request().set_sampling(hot);
        }
    };
    running = std::make_unique<Running>(*e, std::move(request));
    ready.unlock();
    const Answer answer = running->wait();
    REQUIRE(answer.changes.size() == 1);
    CHECK(answer.changes[0].index == 10);
    CHECK(answer.changes[0].params == hot);
    const Answer cold = run(*engine(1), request_for(some_tokens(20), 30));
    CHECK(std::equal(answer.tokens.begin(), answer.tokens.begin() + 10, cold.tokens.begin()));
    CHECK(answer.tokens != cold.tokens);
}

TEST_CASE_FIXTURE(Fixture, "forced tokens are fed whatever would have been picked") {
    const auto e = engine();
    RequestOptions request = request_for(some_tokens(10), -1);
    request.forced = some_tokens(12, 277, 55);
    request.forced[3] = TinyVocabulary::kImEnd;
    request.stop_at_end_of_turn = true;
    const Answer answer = run(*e, request);
    CHECK(answer.tokens == request.forced);
    CHECK(answer.reason == FinishReason::length);
}

TEST_CASE_FIXTURE(Fixture, "an answer ends at every end-of-turn token and before a stop string") {
    CHECK(model->is_end_of_turn(TinyVocabulary::kImEnd));
    CHECK(model->is_end_of_turn(
        TinyVocabulary::kEndOfText)); // not named by the file, known by its text
    CHECK_FALSE(model->is_end_of_turn(5));
    CHECK_FALSE(model->is_end_of_turn(-1));
    CHECK_FALSE(model->is_end_of_turn(100000));
    const auto e = engine();
    const Answer plain = run(*e, request_for(some_tokens(10), 40));
    // A letter that comes late: the rest of the random text is not all UTF-8.
    const std::size_t at =
        plain.text.find_last_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789");
    REQUIRE(at != std::string::npos);
    RequestOptions stopped = request_for(some_tokens(10), 40);
    stopped.stop = {plain.text.substr(at, 1)};
    const Answer answer = run(*e, stopped);
    CHECK(answer.reason == FinishReason::stop);
    CHECK(answer.text == plain.text.substr(0, plain.text.find(stopped.stop[0])));
}

TEST_CASE_FIXTURE(
    Fixture, "a weight that is not a number ends the request with an error, not with a token") {
    GgufWriter w = tiny_model();
    const std::uint16_t nan = 0x7E00;
    std::memcpy(w.tensor("blk.1.ffn_down.weight").bytes.data() + 100, &nan, 2);
    const TempFile broken(w.build());
    const auto e = engine_or_fail(load_or_fail(broken.path()));
    const Answer answer = run(*e, request_for(some_tokens(5), 5));
    CHECK(answer.reason == FinishReason::error);
    CHECK(answer.error.code == ErrorCode::non_finite);
    CHECK(answer.tokens.empty());
}

TEST_CASE(
    "cancel ends a long prefill within 100 ms, a waiting request too, and the next one runs") {
    // A shape whose prefill takes seconds.
    TinyShape shape;
    shape.n_layer = 24;
    shape.n_ff = 2048;
    shape.n_ctx = 4096;
    const TempFile file(tiny_model(shape).build());
    EngineOptions options;
    options.n_threads = 2;
    options.n_batch = 4096;
    const auto e = engine_or_fail(load_or_fail(file.path()), options);
    Running first(*e, request_for(some_tokens(4000), 5));
    std::this_thread::sleep_for(std::chrono::milliseconds(30)); // into the prefill: what is tested
    const Clock::time_point start = Clock::now();
    first.request().cancel();
    CHECK(first.wait().reason == FinishReason::cancelled);
    CHECK(ms_since(start) < (kSanitized ? 1000 : 100));
    CHECK(run(*e, request_for(some_tokens(5), 5)).reason == FinishReason::length);
}

TEST_CASE_FIXTURE(Fixture, "an engine may go while requests run; each is told") {
    auto e = engine();
    std::vector<std::unique_ptr<Running>> running;
    for (unsigned i = 0; i < 20; ++i) {
        running.push_back(
            std::make_unique<Running>(*e, request_for(some_tokens(50, 277, i + 1), -1)));
    }
    e.reset();
    for (const auto& r : running) {
        const FinishReason reason = r->wait().reason;
        CHECK((reason == FinishReason::cancelled || reason == FinishReason::context));
    }
}

TEST_CASE_FIXTURE(Fixture, "options outside their range are refused by name") {
    EngineOptions options;
    options.n_threads = 1000;
    CHECK_FALSE(create_engine(model, options).has_value());
    options = {};
    options.n_batch = 0;
    CHECK_FALSE(create_engine(model, options).has_value());
    options = {};
    options.n_ctx = 2000000000;
    const auto refused = create_engine(model, options);
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().code == ErrorCode::no_memory);
}
