// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/cache/kv_file.h"
#include "engine/cache/prefix_index.h"
#include "engine/engine.h"
#include "engine/model/loaded_model.h"
#include "engine/model/step_context.h"
#include "engine/runtime/sequence.h"
#include "engine/runtime/step_budget.h"
#include "engine/runtime/step_clock.h"
#include "engine/runtime/step_executor.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
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
    Result<std::int64_t> save_context(std::span<const TokenId> tokens,
                                      const std::string& path) override;
    Result<std::int64_t> restore_context(const std::string& path) override;
    [[nodiscard]] const std::shared_ptr<const Model>& model() const override { return model_; }

  private:
    Scheduler(std::shared_ptr<const model::LoadedModel> model, const EngineOptions& options,
              int n_ctx, std::size_t max_kv_bytes);

    // scheduler.cpp: the loop
    void loop();
    bool take_requests(); // false: time to end
    void drop_cancelled();
    void apply_thread_count();
    void run_step();
    void sweep();
    void publish_status();

    // saved_context.cpp: for other threads
    void run_between_steps(const std::function<void()>& task);
    [[nodiscard]] cache::KvFileKey file_key() const;
    Result<void> reserve_for_file(cache::KvSequence& kv, std::int64_t n_tokens);

    // admission.cpp: what comes in, and memory for it
    void admit(std::unique_ptr<Sequence> sequence);
    [[nodiscard]] bool is_bad(TokenId id) const {
        return id < 0 || id >= static_cast<TokenId>(loaded_->config().n_vocab);
    }
    void take_known(Sequence& s);
    void take_known_pages(Sequence& s);
    void count_reused(Sequence& s, std::int64_t n);
    enum class Room { made, form_again, none };
    Room make_room(Sequence& s, std::int64_t n_rows, Error& error);
    bool drop_shared_end(Sequence& s);
    void pause(Sequence& s);
    void resume_paused();
    void keep(Sequence& s);

    // step_former.cpp: which rows a step computes
    void form_step();
    bool try_form_step();
    bool add_writers();
    bool add_readers();
    bool add_rows(Sequence& s, std::int64_t n_rows);
    [[nodiscard]] std::vector<Sequence*> readers();
    void plan_step();

    // answers.cpp: what comes out
    void take_results(Sequence& s);
    void report_prompt(Sequence& s);
    void deliver_scores(Sequence& s, std::int64_t first_pos);
    [[nodiscard]] TokenId choose(Sequence& s);
    static void run_choose(void* scheduler, std::int64_t, std::int64_t index, int);
    void pick(Sequence& s);
    [[nodiscard]] std::string text_of(const Sequence& s, TokenId token) const;
    void count_token(Sequence& s);
    void accept(Sequence& s, TokenId token);
    bool shorten(Sequence& s);
    void finish(Sequence& s, FinishReason reason, Error error = {});

    const std::shared_ptr<const model::LoadedModel> loaded_;
    const std::shared_ptr<const Model> model_; // the same, as callers see it
    const int n_ctx_, n_batch_, n_slots_, oldest_share_;
    cache::KvPool pool_;
    cache::PrefixIndex index_;
    model::StepContext context_;
    model::StepPlan plan_;
    StepExecutor executor_;
    StepClock clock_;
    StepBudget budget_;
    std::vector<model::BatchRow> rows_;
    std::vector<Sequence*> in_step_;
    int n_logits_ = 0;                             // rows of the step that give logits
    std::int64_t n_read_ = 0;                      // rows of the step beside those of writers
    std::list<std::unique_ptr<Sequence>> running_; // oldest first
    std::int64_t prompt_tokens_ = 0, reused_tokens_ = 0;
    const std::shared_ptr<Flag> interrupt_ = std::make_shared<Flag>(false); // of the running step

    mutable std::mutex mutex_;
    std::condition_variable wake_;
    std::deque<std::unique_ptr<Sequence>> incoming_; // guarded by mutex_, as is the rest
    std::deque<std::packaged_task<void()>> tasks_;
    std::vector<std::weak_ptr<RequestHandle>> handles_;
    int wanted_threads_ = 1;
    bool closing_ = false;
    EngineStatus status_;

    std::thread thread_; // last: starts when everything is there
};

} // namespace sotto::runtime
