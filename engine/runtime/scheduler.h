// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine.h"
#include "engine/model/loaded_model.h"
#include "engine/model/step_context.h"
#include "engine/runtime/sequence.h"
#include "engine/runtime/step_clock.h"
#include "engine/runtime/step_executor.h"

#include <condition_variable>
#include <deque>
#include <list>
#include <mutex>
#include <thread>

namespace sotto::runtime {

/// One thread that owns the KV pages and all running sequences of a model: it takes requests from
/// any thread, forms a step from all of them, runs it on the worker pool, samples and calls back.
class Scheduler final : public Engine {
  public:
    static Result<std::unique_ptr<Engine>> create(std::shared_ptr<const model::LoadedModel> model,
                                                  const EngineOptions& options);
    ~Scheduler() override;

    std::shared_ptr<Request> submit(RequestOptions options) override;
    void set_n_threads(int n_threads) override;
    [[nodiscard]] EngineStatus status() const override;
    [[nodiscard]] const std::shared_ptr<const Model>& model() const override { return model_; }

  private:
    Scheduler(std::shared_ptr<const model::LoadedModel> model, const EngineOptions& options,
              int n_ctx, std::size_t max_kv_bytes);

    void loop();
    bool take_requests(); // false: time to end
    void admit(std::unique_ptr<Sequence> sequence);
    void drop_cancelled();
    void apply_thread_count();

    void form_step();
    [[nodiscard]] std::int64_t prefill_budget() const;
    bool add_rows(Sequence& s, std::int64_t n_rows);
    Result<void> reserve(Sequence& s, std::int64_t n_tokens);
    void run_step();
    void take_results(Sequence& s);
    void deliver_scores(Sequence& s, std::int64_t first_pos);
    void pick(Sequence& s);
    [[nodiscard]] std::string text_of(const Sequence& s, TokenId token) const;
    void accept(Sequence& s, TokenId token);

    void finish(Sequence& s, FinishReason reason, Error error = {});
    void sweep();
    void publish_status();

    // The pages of earlier requests.
    CachedTokens take_cached(const RequestOptions& options, std::int64_t& n_reused);
    void keep_cached(CachedTokens cached);
    bool evict_cached();

    const std::shared_ptr<const model::LoadedModel> loaded_;
    const std::shared_ptr<const Model> model_; // the same, as callers see it
    const int n_ctx_;
    const int n_batch_;
    cache::KvPool pool_;
    model::StepContext context_;
    model::StepPlan plan_;
    StepExecutor executor_;
    StepClock clock_;
    std::vector<model::BatchRow> rows_;
    std::vector<Sequence*> in_step_;
    std::list<std::unique_ptr<Sequence>> running_;
    std::vector<CachedTokens> cached_;
    std::uint64_t use_counter_ = 0;

    mutable std::mutex mutex_;
    std::condition_variable wake_;
    std::deque<std::unique_ptr<Sequence>> incoming_; // guarded by mutex_, as is the rest
    std::vector<std::weak_ptr<RequestHandle>> handles_;
    int wanted_threads_ = 1;
    bool closing_ = false;
    EngineStatus status_;

    std::thread thread_; // last: starts when everything is there
};

} // namespace sotto::runtime
