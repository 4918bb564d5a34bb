// SPDX-License-Identifier: Apache-2.0
// Loads models and runs requests, for tests of the engine.
#pragma once

#include "engine/engine.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <mutex>
#include <string>
#include <vector>

namespace sotto::test {

/// Forces an instruction-set level for models loaded meanwhile.
class ForcedIsa {
  public:
    explicit ForcedIsa(const std::string& level) { setenv("SOTTO_ISA", level.c_str(), 1); }
    ~ForcedIsa() { unsetenv("SOTTO_ISA"); }
    ForcedIsa(const ForcedIsa&) = delete;
    ForcedIsa& operator=(const ForcedIsa&) = delete;
};

inline std::shared_ptr<const Model> load_or_fail(const std::string& path) {
    auto model = load_model(path, {});
    if (!model) {
        FAIL(model.error().message);
    }
    return *std::move(model);
}

inline std::unique_ptr<Engine> engine_or_fail(std::shared_ptr<const Model> model,
                                              const EngineOptions& options = {}) {
    auto engine = create_engine(std::move(model), options);
    if (!engine) {
        FAIL(engine.error().message);
    }
    return *std::move(engine);
}

/// What a request came to.
struct Answer {
    std::vector<TokenId> tokens;
    std::string text;
    std::string hash; // of the logits tokens were picked from
    FinishReason reason = FinishReason::error;
    Error error;
    Timings timings;
    std::vector<SamplingChange> changes;
};

/// A request that is collected in the background.
class Running {
  public:
    Running(Engine& engine, RequestOptions options) {
        options.on_logits = [this](Pos, std::span<const float> logits) { hash_.add(logits); };
        options.on_event = [this, hook = std::move(options.on_event)](const Event& event) {
            answer_.timings = event.timings;
            answer_.text += event.text;
            if (event.kind == Event::Kind::token) {
                answer_.tokens.push_back(event.token);
            } else if (event.kind == Event::Kind::finished) {
                answer_.reason = event.reason;
                answer_.error = event.error;
            }
            if (hook) {
                hook(event);
            }
        };
        request_ = engine.submit(std::move(options));
    }
    Request& request() { return *request_; }
    Answer wait() {
        request_->wait();
        answer_.hash = hash_.hex();
        answer_.changes = request_->sampling_changes();
        return answer_;
    }

  private:
    LogitsHash hash_;
    Answer answer_;
    std::shared_ptr<Request> request_;
};

inline SamplingParams greedy() {
    SamplingParams p;
    p.temperature = 0;
    p.repeat_penalty = 1;
    return p;
}

inline RequestOptions request_for(std::vector<TokenId> prompt, std::int64_t n,
                                  SamplingParams params = greedy()) {
    RequestOptions o;
    o.prompt = std::move(prompt);
    o.max_tokens = n;
    o.sampling = params;
    o.stop_at_end_of_turn = false;
    return o;
}

inline Answer run(Engine& engine, RequestOptions options) {
    return Running(engine, std::move(options)).wait();
}

/// Ids that differ from position to position.
inline std::vector<TokenId> some_tokens(int n, int n_vocab = 277, unsigned seed = 1) {
    std::vector<TokenId> ids;
    for (int i = 0; i < n; ++i) {
        seed = seed * 1664525u + 1013904223u;
        ids.push_back(static_cast<TokenId>((seed >> 8) % static_cast<unsigned>(n_vocab)));
    }
    return ids;
}

} // namespace sotto::test
