// SPDX-License-Identifier: Apache-2.0
#include "engine/runtime/scheduler.h"

#include "engine/base/log.h"
#include "engine/base/memory.h"
#include "kernels/fp_env.h"

#include <algorithm>

namespace sotto::runtime {
namespace {

constexpr int kMaxRunning = 16; // sequences in a step; the rest wait
constexpr int kSharedPrefill =
    32; // prompt rows in a step while others write: keeps nearly the full rate
constexpr int kMaxOpsPerLayer = 16;

std::string tokens_text(std::int64_t n) {
    return std::to_string(n) + (n == 1 ? " token" : " tokens");
}

/// The context length to offer: what is asked for, or the trained length as far as half of the free
/// memory goes.
Result<int> choose_n_ctx(const ModelInfo& info, const EngineOptions& options,
                         std::size_t bytes_per_token) {
    const std::int64_t free = available_memory_bytes();
    const std::int64_t fits =
        free > 0 ? free / 2 / static_cast<std::int64_t>(bytes_per_token) : 1 << 30;
    if (options.n_ctx > 0) {
        if (free > 0 && options.n_ctx > free / static_cast<std::int64_t>(bytes_per_token)) {
            return Error{
                ErrorCode::no_memory,
                "a context of " + tokens_text(options.n_ctx) + " needs " +
                    std::to_string((static_cast<std::int64_t>(bytes_per_token) * options.n_ctx) >>
                                   20) +
                    " MiB of memory, " + std::to_string(free >> 20) + " MiB are free"};
        }
        return options.n_ctx;
    }
    return static_cast<int>(
        std::clamp<std::int64_t>(fits, std::min(512, info.n_ctx_train), info.n_ctx_train));
}

} // namespace

Result<std::unique_ptr<Engine>> Scheduler::create(std::shared_ptr<const model::LoadedModel> model,
                                                  const EngineOptions& options) {
    if (options.n_threads < 0 || options.n_threads > StepExecutor::kMaxThreads) {
        return Error{ErrorCode::bad_argument, "thread count " + std::to_string(options.n_threads) +
                                                  " is outside 1 to " +
                                                  std::to_string(StepExecutor::kMaxThreads)};
    }
    if (options.n_batch < 1 || options.n_batch > 8192) {
        return Error{ErrorCode::bad_argument,
                     "batch " + std::to_string(options.n_batch) + " is outside 1 to 8192"};
    }
    if (options.n_ctx < 0) {
        return Error{ErrorCode::bad_argument,
                     "context " + std::to_string(options.n_ctx) + " is below 0"};
    }
    const model::ModelConfig& c = model->config();
    const cache::KvShape shape{c.n_layer, c.n_head_kv, c.head_dim,
                               model::kv_type_of(options.cache_type)};
    auto n_ctx = choose_n_ctx(model->info(), options, shape.bytes_per_token());
    if (!n_ctx) {
        return std::move(n_ctx).error();
    }
    // Room for one full context at least, and for others as far as half of the free memory goes.
    const std::size_t one =
        (static_cast<std::size_t>(*n_ctx) + cache::kPageTokens) * shape.bytes_per_token();
    const auto half =
        static_cast<std::size_t>(std::max<std::int64_t>(0, available_memory_bytes() / 2));
    std::unique_ptr<Scheduler> s(
        new Scheduler(std::move(model), options, *n_ctx, std::max(one, std::min(4 * one, half))));
    if (auto done = s->context_.resize(s->n_batch_ + kMaxRunning); !done) {
        return std::move(done).error();
    }
    if (auto done = s->context_.set_workers(s->wanted_threads_); !done) {
        return std::move(done).error();
    }
    s->thread_ = std::thread([raw = s.get()] { raw->loop(); });
    return std::unique_ptr<Engine>(std::move(s));
}

Scheduler::Scheduler(std::shared_ptr<const model::LoadedModel> model, const EngineOptions& options,
                     int n_ctx, std::size_t max_kv_bytes)
    : loaded_(std::move(model)), model_(loaded_), n_ctx_(n_ctx), n_batch_(options.n_batch),
      pool_({loaded_->config().n_layer, loaded_->config().n_head_kv, loaded_->config().head_dim,
             model::kv_type_of(options.cache_type)},
            max_kv_bytes),
      context_(loaded_->config(), loaded_->weights(), loaded_->kernel(),
               model::kv_type_of(options.cache_type)),
      executor_(
          options.n_threads > 0 ? options.n_threads : usable_cores(),
          static_cast<std::size_t>(loaded_->config().n_layer * kMaxOpsPerLayer + kMaxOpsPerLayer)),
      clock_(options.on_step_times) {
    wanted_threads_ = executor_.n_threads();
    status_.n_threads = wanted_threads_;
    status_.n_ctx = n_ctx_;
    plan_.reserve(
        static_cast<std::size_t>(loaded_->config().n_layer * kMaxOpsPerLayer + kMaxOpsPerLayer));
    rows_.reserve(static_cast<std::size_t>(n_batch_ + kMaxRunning));
}

Scheduler::~Scheduler() {
    {
        const std::lock_guard lock(mutex_);
        closing_ = true;
        for (const auto& weak : handles_) {
            if (const auto handle = weak.lock()) {
                handle->cancel();
            }
        }
    }
    wake_.notify_one();
    if (thread_.joinable()) {
        thread_.join();
    }
}

std::shared_ptr<Request> Scheduler::submit(RequestOptions options) {
    auto handle = std::make_shared<RequestHandle>(options.sampling);
    auto sequence = std::make_unique<Sequence>(std::move(options), handle, loaded_->kernel());
    sequence->submitted = Clock::now();
    sequence->timings.load_ms = loaded_->info().load_ms;
    {
        const std::lock_guard lock(mutex_);
        std::erase_if(handles_, [](const auto& weak) { return weak.expired(); });
        handles_.push_back(handle);
        if (closing_) {
            handle->cancel();
        }
        incoming_.push_back(std::move(sequence));
        ++status_.n_waiting;
    }
    wake_.notify_one();
    return handle;
}

void Scheduler::set_n_threads(int n_threads) {
    const std::lock_guard lock(mutex_);
    wanted_threads_ = std::clamp(n_threads, 1, StepExecutor::kMaxThreads);
    wake_.notify_one();
}

EngineStatus Scheduler::status() const {
    const std::lock_guard lock(mutex_);
    return status_;
}

void Scheduler::loop() {
    const kernels::DefaultFpEnv
        default_env; // a thread inherits its creator's; sampling is arithmetic too
    while (take_requests()) {
        apply_thread_count();
        drop_cancelled();
        form_step();
        if (!rows_.empty()) {
            run_step();
        }
        sweep();
        publish_status();
    }
}

bool Scheduler::take_requests() {
    std::vector<std::unique_ptr<Sequence>> fresh;
    {
        std::unique_lock lock(mutex_);
        wake_.wait(lock, [this] {
            return closing_ || !running_.empty() || !incoming_.empty() ||
                   wanted_threads_ != executor_.n_threads();
        });
        while (!incoming_.empty() && running_.size() + fresh.size() < kMaxRunning) {
            fresh.push_back(std::move(incoming_.front()));
            incoming_.pop_front();
        }
        status_.n_waiting = static_cast<int>(incoming_.size());
        if (closing_ && fresh.empty() && running_.empty() && incoming_.empty()) {
            return false;
        }
    }
    for (auto& sequence : fresh) {
        admit(std::move(sequence));
    }
    return true;
}

void Scheduler::admit(std::unique_ptr<Sequence> sequence) {
    Sequence& s = *sequence;
    running_.push_back(std::move(sequence));
    const auto n_vocab = static_cast<TokenId>(loaded_->config().n_vocab);
    const auto bad_id = [n_vocab](TokenId id) { return id < 0 || id >= n_vocab; };
    for (const std::vector<TokenId>* ids : {&s.options.prompt, &s.options.forced}) {
        if (const auto it = std::ranges::find_if(*ids, bad_id); it != ids->end()) {
            return finish(s, FinishReason::error,
                          {ErrorCode::bad_argument, "token id " + std::to_string(*it) +
                                                        " is outside the model's 0 to " +
                                                        std::to_string(n_vocab - 1)});
        }
    }
    if (s.options.prompt.empty()) {
        return finish(s, FinishReason::error, {ErrorCode::bad_argument, "the prompt is empty"});
    }
    const std::int64_t total = s.n_prompt() + static_cast<std::int64_t>(s.options.forced.size());
    if (s.n_prompt() > n_ctx_ || total > n_ctx_ + 1) {
        return finish(s, FinishReason::error,
                      {ErrorCode::too_long, "the prompt has " + tokens_text(total) +
                                                ", the context holds " + std::to_string(n_ctx_)});
    }
    if (auto checked = sampling::check_params(s.options.sampling); !checked) {
        return finish(s, FinishReason::error, std::move(checked).error());
    }
    s.tokens = s.options.prompt;
    s.cached = take_cached(s.options, s.timings.reused_tokens);
    s.n_computed = s.timings.reused_tokens;
    if (running_.size() == 1) {
        executor_.reset_threads_used();
    }
}

CachedTokens Scheduler::take_cached(const RequestOptions& options, std::int64_t& n_reused) {
    // The last prompt token is computed in any case: its logits are wanted. So are scored
    // positions.
    std::int64_t limit = static_cast<std::int64_t>(options.prompt.size()) - 1;
    if (options.on_logits && options.score_begin < options.score_end) {
        limit = std::min<std::int64_t>(limit, options.score_begin);
    }
    const auto common = [&](const CachedTokens& c) {
        const auto [a, b] = std::ranges::mismatch(c.tokens, options.prompt);
        return std::min<std::int64_t>(limit, a - c.tokens.begin());
    };
    const auto best = std::ranges::max_element(cached_, {}, common);
    CachedTokens cached;
    n_reused = best == cached_.end() ? 0 : common(*best);
    if (n_reused > 0) {
        cached = std::move(*best);
        cached_.erase(best);
        cached.tokens.resize(static_cast<std::size_t>(n_reused));
        cached.kv->truncate(n_reused);
    } else {
        n_reused = 0;
        cached.kv = std::make_unique<cache::KvSequence>(pool_);
    }
    return cached;
}

void Scheduler::keep_cached(CachedTokens cached) {
    constexpr std::size_t kMaxCached = 4;
    if (!cached.kv || cached.tokens.empty()) {
        return;
    }
    cached.last_used = ++use_counter_;
    cached_.push_back(std::move(cached));
    while (cached_.size() > kMaxCached) {
        evict_cached();
    }
}

bool Scheduler::evict_cached() {
    if (cached_.empty()) {
        return false;
    }
    cached_.erase(std::ranges::min_element(cached_, {}, &CachedTokens::last_used));
    return true;
}

void Scheduler::drop_cancelled() {
    for (const auto& s : running_) {
        if (!s->finished && s->handle->cancel_flag().load(std::memory_order_relaxed)) {
            finish(*s, FinishReason::cancelled);
        }
    }
    // Those still waiting are told at once as well.
    std::deque<std::unique_ptr<Sequence>> gone;
    {
        const std::lock_guard lock(mutex_);
        for (auto it = incoming_.begin(); it != incoming_.end();) {
            if ((*it)->handle->cancel_flag().load(std::memory_order_relaxed)) {
                gone.push_back(std::move(*it));
                it = incoming_.erase(it);
            } else {
                ++it;
            }
        }
    }
    for (const auto& s : gone) {
        finish(*s, FinishReason::cancelled);
    }
}

void Scheduler::apply_thread_count() {
    int wanted = 0;
    {
        const std::lock_guard lock(mutex_);
        wanted = wanted_threads_;
    }
    if (wanted == executor_.n_threads()) {
        return;
    }
    if (auto done = context_.set_workers(wanted); !done) {
        log::warn("thread count stays at " + std::to_string(executor_.n_threads()) + ": " +
                  done.error().message);
        const std::lock_guard lock(mutex_);
        wanted_threads_ = executor_.n_threads();
        return;
    }
    executor_.set_n_threads(wanted);
    executor_.reset_threads_used();
}

std::int64_t Scheduler::prefill_budget() const {
    // A step that others share is not aborted by a cancel, so it is kept short.
    const auto alive = std::ranges::count_if(running_, [](const auto& s) { return !s->finished; });
    return alive > 1 ? std::min(kSharedPrefill, n_batch_) : n_batch_;
}

void Scheduler::form_step() {
    rows_.clear();
    in_step_.clear();
    std::int64_t budget = prefill_budget();
    for (const bool decoding : {true, false}) {
        for (const auto& s : running_) {
            if (s->finished || s->decoding() != decoding) {
                continue;
            }
            const std::int64_t n = decoding ? s->n_pending() : std::min(budget, s->n_pending());
            if (n > 0 && add_rows(*s, n)) {
                budget -= decoding ? 0 : n;
            }
        }
    }
}

bool Scheduler::add_rows(Sequence& s, std::int64_t n_rows) {
    if (auto done = reserve(s, s.n_computed + n_rows); !done) {
        finish(s, FinishReason::error, std::move(done).error());
        return false;
    }
    const RequestOptions& o = s.options;
    const bool scores = static_cast<bool>(o.on_logits);
    for (std::int64_t i = 0; i < n_rows; ++i) {
        const std::int64_t pos = s.n_computed + i;
        const bool last =
            pos + 1 == static_cast<std::int64_t>(s.tokens.size()) && o.max_tokens != 0;
        const bool scored = scores && pos >= o.score_begin && pos < o.score_end;
        rows_.push_back({s.tokens[static_cast<std::size_t>(pos)], static_cast<std::int32_t>(pos),
                         s.cached.kv.get(), last || scored});
    }
    s.rows_in_step = n_rows;
    in_step_.push_back(&s);
    return true;
}

Result<void> Scheduler::reserve(Sequence& s, std::int64_t n_tokens) {
    for (;;) {
        auto done = s.cached.kv->reserve(n_tokens);
        if (done || !evict_cached()) {
            return done;
        }
    }
}

void Scheduler::run_step() {
    if (auto done = context_.begin(rows_); !done) {
        for (Sequence* s : in_step_) {
            finish(*s, FinishReason::error, done.error());
        }
        return;
    }
    plan_.clear();
    loaded_->architecture().plan(context_, plan_);
    const std::atomic<bool>* cancel =
        in_step_.size() == 1 ? &in_step_.front()->handle->cancel_flag() : nullptr;
    const Clock::time_point start = Clock::now();
    const bool complete = executor_.run(plan_, cancel, clock_.start(plan_.size()));
    const double ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    if (!complete) {
        return; // the next round finds the flag; what the step stored is not counted as computed
    }
    clock_.finish(plan_);
    int logits = 0;
    std::size_t row = 0;
    for (Sequence* s : in_step_) {
        s->first_logits = logits;
        s->n_logits = 0;
        for (std::int64_t i = 0; i < s->rows_in_step; ++i) {
            s->n_logits += rows_[row++].wants_logits ? 1 : 0;
        }
        logits += s->n_logits;
        if (!s->decoding()) {
            s->prefill_ms += ms;
        }
        take_results(*s);
    }
}

void Scheduler::take_results(Sequence& s) {
    const std::int64_t first_pos = s.n_computed;
    s.n_computed += s.rows_in_step;
    s.cached.tokens.insert(s.cached.tokens.end(), s.tokens.begin() + first_pos,
                           s.tokens.begin() + s.n_computed);
    s.timings.n_context = s.n_computed;
    s.timings.threads_used = executor_.threads_used();
    if (!s.decoding()) {
        s.timings.prefill_tokens += s.rows_in_step;
        s.timings.prefill_tokens_per_s =
            s.prefill_ms > 0 ? 1000.0 * static_cast<double>(s.timings.prefill_tokens) / s.prefill_ms
                             : 0;
        Event event;
        event.kind = Event::Kind::prefill;
        event.prompt_done = s.n_computed;
        event.prompt_total = s.n_prompt();
        event.timings = s.timings;
        if (s.options.on_event) {
            s.options.on_event(event);
        }
        deliver_scores(s, first_pos);
    }
    if (s.n_pending() == 0) {
        if (s.options.max_tokens == 0) {
            finish(s, FinishReason::length);
        } else {
            pick(s);
        }
    }
}

void Scheduler::deliver_scores(Sequence& s, std::int64_t first_pos) {
    if (!s.options.on_logits) {
        return;
    }
    int index = s.first_logits;
    for (std::int64_t i = 0; i < s.rows_in_step; ++i) {
        const std::int64_t pos = first_pos + i;
        if (pos >= s.options.score_begin && pos < s.options.score_end) {
            s.options.on_logits(static_cast<Pos>(pos), context_.logits_of(index++));
        }
    }
}

void Scheduler::pick(Sequence& s) {
    const std::span<float> logits = context_.logits_of(s.first_logits + s.n_logits - 1);
    const std::int64_t last_pos = s.n_computed - 1;
    const bool was_scored =
        s.n_answer == 0 && last_pos >= s.options.score_begin && last_pos < s.options.score_end;
    if (s.options.on_logits && !was_scored) {
        s.options.on_logits(static_cast<Pos>(last_pos), logits);
    }
    const std::span<float> tokens_only =
        logits.first(static_cast<std::size_t>(loaded_->n_tokens()));
    TokenId token =
        s.sampler.pick(tokens_only, s.tokens, static_cast<std::int64_t>(s.tokens.size()),
                       s.handle->sampling_for(s.n_answer));
    if (token < 0) {
        return finish(
            s, FinishReason::error,
            {ErrorCode::non_finite, "the model's output is infinite or not a number at position " +
                                        std::to_string(last_pos) + "; the file may be damaged"});
    }
    if (!s.options.forced.empty()) {
        token = s.options.forced[static_cast<std::size_t>(s.n_answer)];
    }
    accept(s, token);
}

/// Control tokens are no text, but for those that mark off a thought.
std::string Scheduler::text_of(const Sequence& s, TokenId token) const {
    std::string text = loaded_->token_bytes(token, false);
    if (text.empty() && !s.options.thinking.empty()) {
        std::string mark = loaded_->token_bytes(token, true);
        if (mark == s.options.thinking.open || mark == s.options.thinking.close) {
            return mark;
        }
    }
    return text;
}

void Scheduler::accept(Sequence& s, TokenId token) {
    const Clock::time_point now = Clock::now();
    const auto ms = [](Clock::duration d) {
        return std::chrono::duration<double, std::milli>(d).count();
    };
    if (s.n_answer == 0) {
        s.first_token = now;
        s.timings.ttft_ms = ms(now - s.submitted);
    } else {
        ++s.timings.decode_tokens;
        const double spent = ms(now - s.first_token);
        s.timings.decode_tokens_per_s =
            spent > 0 ? 1000.0 * static_cast<double>(s.timings.decode_tokens) / spent : 0;
    }
    const bool forced = !s.options.forced.empty();
    if (!forced && s.options.stop_at_end_of_turn && loaded_->is_end_of_turn(token)) {
        return finish(s, FinishReason::stop);
    }
    s.tokens.push_back(token);
    Event event;
    event.kind = Event::Kind::token;
    event.token = token;
    event.index = s.n_answer++;
    ThinkingSplitter::Parts parts = s.splitter.push(s.assembler.push(text_of(s, token)));
    event.text = std::move(parts.text);
    event.thinking = std::move(parts.thinking);
    event.timings = s.timings;
    if (s.options.on_event) {
        s.options.on_event(event);
    }
    const std::int64_t limit =
        forced ? static_cast<std::int64_t>(s.options.forced.size()) : s.options.max_tokens;
    if (s.assembler.stopped()) {
        finish(s, FinishReason::stop);
    } else if (limit >= 0 && s.n_answer >= limit) {
        finish(s, FinishReason::length);
    } else if (static_cast<std::int64_t>(s.tokens.size()) > n_ctx_) {
        finish(s, FinishReason::context);
    }
}

void Scheduler::finish(Sequence& s, FinishReason reason, Error error) {
    s.finished = reason;
    Event event;
    event.kind = Event::Kind::finished;
    event.reason = reason;
    event.error = std::move(error);
    const ThinkingSplitter::Parts held = s.splitter.push(s.assembler.finish());
    const ThinkingSplitter::Parts last = s.splitter.finish();
    event.text = held.text + last.text;
    event.thinking = held.thinking + last.thinking;
    event.timings = s.timings;
    if (s.options.on_event) {
        s.options.on_event(event);
    }
    s.handle->set_finished();
}

void Scheduler::sweep() {
    for (auto it = running_.begin(); it != running_.end();) {
        if ((*it)->finished) {
            keep_cached(std::move((*it)->cached));
            it = running_.erase(it);
        } else {
            ++it;
        }
    }
}

void Scheduler::publish_status() {
    const std::lock_guard lock(mutex_);
    status_.n_threads = executor_.n_threads();
    status_.n_running = static_cast<int>(running_.size());
    status_.kv_bytes = static_cast<std::int64_t>(pool_.held_bytes());
}

} // namespace sotto::runtime
