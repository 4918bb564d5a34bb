// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/cache/kv_sequence.h"
#include "engine/engine.h"
#include "engine/runtime/text_assembler.h"
#include "engine/runtime/thinking_splitter.h"
#include "engine/sampling/sampler.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>

namespace sotto::runtime {

using Clock = std::chrono::steady_clock;
using Flag = std::atomic<bool>;

/// The handle a caller holds and the scheduler reads: settings and cancel come in here, from any
/// thread.
class RequestHandle final : public Request {
  public:
    /// `interrupt` ends the scheduler's running step.
    RequestHandle(const SamplingParams& params, std::shared_ptr<Flag> interrupt)
        : interrupt_(std::move(interrupt)), params_(params) {}

    void cancel() override;
    void set_sampling(const SamplingParams& params) override;
    [[nodiscard]] std::vector<SamplingChange> sampling_changes() const override;
    void wait() override;

    [[nodiscard]] bool cancelled() const { return cancelled_.load(std::memory_order_relaxed); }
    /// The settings for answer token `index`; a change since the last call is logged with it. One
    /// thread at a time.
    SamplingParams sampling_for(std::int64_t index);
    /// `finished` was delivered.
    void set_finished();

  private:
    Flag cancelled_{false};
    std::shared_ptr<Flag> interrupt_;
    mutable std::mutex mutex_;
    std::condition_variable finished_changed_;
    SamplingParams params_; // guarded by mutex_, as is the rest
    bool changed_ = false;
    std::vector<SamplingChange> log_;
    bool finished_ = false;
};

/// One request on its way: the scheduler's own, never touched by another thread but for picking its
/// token during a step.
struct Sequence {
    RequestOptions options;
    std::shared_ptr<RequestHandle> handle;
    cache::KvSequence kv;
    std::vector<TokenId> tokens; // prompt and answer so far
    std::int64_t n_computed = 0; // positions whose keys and values are there
    std::int64_t n_answer = 0;   // tokens picked
    std::int64_t n_scored = 0;   // positions before this have been looked at for on_logits
    bool paused = false;         // it has no pages and waits for memory
    sampling::Sampler sampler;
    TextAssembler assembler;
    ThinkingSplitter splitter;
    Timings timings;
    Clock::time_point submitted, first_token;
    double prefill_ms = 0;
    std::optional<FinishReason> finished;
    Error error;

    // Of the current step.
    std::int64_t n_rows = 0;            // what it computes of this sequence
    int first_logits = 0, n_logits = 0; // its rows among those that give logits
    TokenId picked = -1;

    Sequence(RequestOptions o, std::shared_ptr<RequestHandle> h, cache::KvPool& pool,
             const kernels::KernelTable& kernel)
        : options(std::move(o)), handle(std::move(h)), kv(pool), sampler(kernel),
          assembler(options.stop), splitter(options.thinking, options.thinking_open) {}

    [[nodiscard]] std::int64_t n_prompt() const {
        return static_cast<std::int64_t>(options.prompt.size());
    }
    /// Tokens that are known but not computed; 1 while writing.
    [[nodiscard]] std::int64_t n_pending() const {
        return static_cast<std::int64_t>(tokens.size()) - n_computed;
    }
    [[nodiscard]] bool alive() const { return !finished && !paused; }
    [[nodiscard]] bool answering() const { return n_answer > 0; }
    /// It writes its answer, a token a step; else it reads, its prompt or what it had to give up.
    [[nodiscard]] bool writing() const { return answering() && n_pending() == 1; }
    /// After the current step a token is picked.
    [[nodiscard]] bool picks() const { return n_rows == n_pending() && options.max_tokens != 0; }
    [[nodiscard]] bool scores(std::int64_t pos) const {
        return options.on_logits && pos >= options.score_begin && pos < options.score_end;
    }
    /// How many tokens may come from elsewhere: the last one is computed in any case, its logits
    /// are wanted; so are scored positions.
    [[nodiscard]] std::int64_t n_reusable() const {
        const auto all_but_last = static_cast<std::int64_t>(tokens.size()) - 1;
        const bool to_score = options.on_logits && options.score_begin < options.score_end &&
                              n_scored < options.score_end;
        return to_score ? std::min<std::int64_t>(
                              all_but_last, std::max<std::int64_t>(options.score_begin, n_scored))
                        : all_but_last;
    }
};

} // namespace sotto::runtime
