// SPDX-License-Identifier: Apache-2.0
// Chats that outgrow the context.
#include "tests/support/engine_runs.h"
#include "tests/support/temp_file.h"
#include "tests/support/tiny_model.h"

#include <doctest/doctest.h>

#include <string>

using namespace sotto;
using namespace sotto::test;

namespace {

struct Fixture {
    TempFile file{tiny_model().build()};
    std::shared_ptr<const Model> model = load_or_fail(file.path());

    /// n turns of about 30 tokens each behind a system message.
    static std::vector<ChatMessage> chat(int n) {
        std::vector<ChatMessage> messages{{.role = "system", .content = "be brief"}};
        for (int i = 0; i < n; ++i) {
            messages.push_back({.role = "user", .content = "question " + std::to_string(i)});
            if (i + 1 < n) {
                messages.push_back({.role = "assistant", .content = "answer " + std::to_string(i)});
            }
        }
        return messages;
    }
    [[nodiscard]] std::int64_t size_of(const std::vector<ChatMessage>& messages) const {
        return static_cast<std::int64_t>(model->render_chat(messages, {})->tokens.size());
    }
};

} // namespace

TEST_CASE_FIXTURE(Fixture, "a chat that fits is left alone") {
    const auto messages = chat(5);
    const auto n = static_cast<int>(size_of(messages));
    const auto fitted = fit_chat(*model, messages, {}, n + 1, 0, 0);
    REQUIRE(fitted.has_value());
    CHECK(fitted->n_dropped == 0);
    CHECK(fitted->chat.tokens == model->render_chat(messages, {})->tokens);
    CHECK(fit_chat(*model, messages, {}, n, 0, 0)->n_dropped > 0); // no room for a token
    CHECK(fit_chat(*model, messages, {}, n + 10, 9, 0)->n_dropped == 0);
    CHECK(fit_chat(*model, messages, {}, n + 10, 10, 0)->n_dropped > 0);
}

TEST_CASE_FIXTURE(Fixture, "the oldest turns go, whole, down to 60 % of the context") {
    const auto messages = chat(20);
    const auto n_ctx = static_cast<int>(size_of(messages));
    const auto fitted = fit_chat(*model, messages, {}, n_ctx, 0, 0);
    REQUIRE(fitted.has_value());
    const std::string& text = fitted->chat.text;
    CHECK(fitted->n_dropped % 2 == 0);
    CHECK(text.find("be brief") != std::string::npos);
    CHECK(text.find("question 19") != std::string::npos);
    CHECK(text.find("question 0") == std::string::npos);
    const int first = fitted->n_dropped / 2;
    CHECK(text.find("question " + std::to_string(first)) != std::string::npos);
    CHECK(text.find("answer " + std::to_string(first - 1)) == std::string::npos);
    const auto size = static_cast<std::int64_t>(fitted->chat.tokens.size());
    CHECK(size <= n_ctx * 6 / 10);
    // One turn less would have been too much.
    const auto less = fit_chat(*model, messages, {}, 10 * n_ctx, 0, fitted->n_dropped - 2);
    CHECK(static_cast<std::int64_t>(less->chat.tokens.size()) > n_ctx * 6 / 10);
    CHECK(less->n_dropped == fitted->n_dropped - 2); // what was left out stays left out
}

TEST_CASE_FIXTURE(Fixture, "a last turn that is too long is an error with both numbers") {
    auto messages = chat(3);
    messages.back().content = std::string(400, 'x');
    const auto fitted = fit_chat(*model, messages, {}, 100, 0, 0);
    REQUIRE_FALSE(fitted.has_value());
    CHECK(fitted.error().code == ErrorCode::too_long);
    CHECK(fitted.error().message.find("100") != std::string::npos);
    // One that takes more than 60 % of the context, but fits, is what is left.
    messages.back().content = std::string(10, 'x');
    const auto n = static_cast<int>(size_of({messages.front(), messages.back()}));
    CHECK(fit_chat(*model, messages, {}, n + 1, 0, 0)->n_dropped == 4);
}

TEST_CASE_FIXTURE(Fixture, "an answer goes on when its oldest turns are dropped meanwhile") {
    EngineOptions options;
    options.n_threads = 2;
    options.n_ctx = 280;
    const auto e = engine_or_fail(model, options);
    const auto messages = chat(6);
    RequestOptions request = request_for(model->render_chat(messages, {})->tokens, 400);
    const auto n_prompt = static_cast<std::int64_t>(request.prompt.size());
    REQUIRE(n_prompt < 280);
    std::vector<std::int64_t> answers;
    int n_dropped = 0;
    request.on_context_full = [&](std::span<const TokenId> answer) {
        answers.push_back(static_cast<std::int64_t>(answer.size()));
        const auto fitted = fit_chat(*model, messages, {}, 280,
                                     static_cast<std::int64_t>(answer.size()), n_dropped);
        n_dropped = fitted ? fitted->n_dropped : n_dropped;
        return fitted ? fitted->chat.tokens : std::vector<TokenId>{};
    };
    const Answer answer = run(*e, request);
    CHECK(answer.reason == FinishReason::context); // in the end the answer alone is too long
    REQUIRE(answers.size() >= 2);
    CHECK(answers[0] == 280 - n_prompt + 1);
    CHECK(n_dropped == 10);
    CHECK(answer.tokens.size() > 100);
    CHECK(answer.timings.recomputed_tokens > 0);
    // What follows the first cut is what a fresh request gives that begins there.
    const auto fitted = fit_chat(*model, messages, {}, 280, answers[0], 0);
    std::vector<TokenId> prompt = fitted->chat.tokens;
    prompt.insert(prompt.end(), answer.tokens.begin(), answer.tokens.begin() + answers[0]);
    const Answer fresh = run(*engine_or_fail(model, options), request_for(prompt, 10));
    CHECK(std::equal(fresh.tokens.begin(), fresh.tokens.end(), answer.tokens.begin() + answers[0]));
}

TEST_CASE_FIXTURE(Fixture, "without another prompt a full context ends the answer") {
    EngineOptions options;
    options.n_ctx = 100;
    const auto e = engine_or_fail(model, options);
    for (const std::vector<TokenId>& bad :
         {std::vector<TokenId>{}, some_tokens(101), std::vector<TokenId>{5, 100000}}) {
        RequestOptions request = request_for(some_tokens(90), -1);
        request.on_context_full = [&](auto) { return bad; };
        const Answer answer = run(*e, request);
        CHECK(answer.reason == FinishReason::context);
        CHECK(answer.tokens.size() == 11);
    }
}
