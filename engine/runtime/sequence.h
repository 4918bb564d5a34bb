// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/cache/kv_cache.h"
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

/// The handle a caller holds and the scheduler reads: settings and cancel come in here, from any
/// thread.
class RequestHandle final : public Request {
  public:
    explicit RequestHandle(const SamplingParams& params) : params_(params) {}

    void cancel() override { cancel_flag_.store(true, std::memory_order_relaxed); }
    void set_sampling(const SamplingParams& params) override;
    [[nodiscard]] std::vector<SamplingChange> sampling_changes() const override;
    void wait() override;

    [[nodiscard]] const std::atomic<bool>& cancel_flag() const { return cancel_flag_; }
    /// The settings for answer token `index`; a change since the last call is logged with it.
    /// Scheduler's thread.
    SamplingParams sampling_for(std::int64_t index);
    /// `finished` was delivered.
    void set_finished();

  private:
    std::atomic<bool> cancel_flag_{false};
    mutable std::mutex mutex_;
    std::condition_variable finished_changed_;
    SamplingParams params_; // guarded by mutex_, as is the rest
    bool changed_ = false;
    std::vector<SamplingChange> log_;
    bool finished_ = false;
};

/// Tokens whose keys and values are in pages; kept after a request, so that the next turn of the
/// same chat computes only what is new.
struct CachedTokens {
    std::vector<TokenId> tokens; // of positions 0..
    std::unique_ptr<cache::KvSequence> kv;
    std::uint64_t last_used = 0;
};

/// One request on its way: the scheduler's own, never touched by another thread.
struct Sequence {
    RequestOptions options;
    std::shared_ptr<RequestHandle> handle;
    CachedTokens cached;         // tokens[0..n_computed) are in the pages
    std::vector<TokenId> tokens; // prompt and answer so far
    std::int64_t n_computed = 0; // positions whose keys and values are there
    std::int64_t n_answer = 0;   // tokens picked
    sampling::Sampler sampler;
    TextAssembler assembler;
    ThinkingSplitter splitter;
    Timings timings;
    Clock::time_point submitted, first_token;
    double prefill_ms = 0;
    std::int64_t rows_in_step = 0;      // rows the current step computes for it
    int first_logits = 0, n_logits = 0; // its rows among the current step's logits
    std::optional<FinishReason> finished;
    Error error;

    Sequence(RequestOptions o, std::shared_ptr<RequestHandle> h, const kernels::KernelTable& kernel)
        : options(std::move(o)), handle(std::move(h)), sampler(kernel), assembler(options.stop),
          splitter(options.thinking, options.thinking_open) {}

    [[nodiscard]] std::int64_t n_prompt() const {
        return static_cast<std::int64_t>(options.prompt.size());
    }
    /// Tokens that are known but not computed; 1 while decoding.
    [[nodiscard]] std::int64_t n_pending() const {
        return static_cast<std::int64_t>(tokens.size()) - n_computed;
    }
    [[nodiscard]] bool decoding() const { return n_answer > 0; }
};

} // namespace sotto::runtime
