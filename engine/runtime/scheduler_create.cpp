// SPDX-License-Identifier: Apache-2.0
#include "engine/base/memory.h"
#include "engine/runtime/context_length.h"
#include "engine/runtime/scheduler.h"

#include <algorithm>

namespace sotto::runtime {
namespace {

constexpr int kMaxOpsPerLayer = 16;
constexpr int kMaxSlots = 256;

/// bad_argument naming the option, the value and its range.
Result<void> check_range(const char* name, std::int64_t value, std::int64_t min, std::int64_t max) {
    if (value >= min && value <= max) {
        return {};
    }
    return Error{ErrorCode::bad_argument, std::string(name) + " " + std::to_string(value) +
                                              " is outside " + std::to_string(min) + " to " +
                                              std::to_string(max)};
}

Result<void> check_options(const EngineOptions& o) {
    constexpr std::int64_t kAny = std::int64_t{1} << 60;
    const struct {
        const char* name;
        std::int64_t value, min, max;
    } ranges[] = {{"thread count", o.n_threads, 0, StepExecutor::kMaxThreads},
                  {"batch", o.n_batch, 1, 8192},
                  {"context", o.n_ctx, 0, kAny},
                  {"KV memory", o.max_kv_bytes, 0, kAny},
                  {"number of slots", o.n_slots, 1, kMaxSlots},
                  {"step time in ms", static_cast<std::int64_t>(o.step_ms), 1, 10000},
                  {"token budget", o.token_budget, 0, 8192},
                  {"oldest request's share", o.oldest_share, 0, 100}};
    for (const auto& r : ranges) {
        if (auto checked = check_range(r.name, r.value, r.min, r.max); !checked) {
            return checked;
        }
    }
    return {};
}

/// Memory for one full context at least, and for others as far as half of the free memory goes.
Result<std::size_t> choose_kv_bytes(const EngineOptions& options, int n_ctx,
                                    const cache::KvShape& shape) {
    const auto n_pages =
        (static_cast<std::size_t>(n_ctx) + cache::kPageTokens - 1) / cache::kPageTokens;
    const std::size_t one = n_pages * shape.page_bytes();
    if (options.max_kv_bytes > 0) {
        const auto limit = static_cast<std::size_t>(options.max_kv_bytes);
        if (limit < shape.page_bytes()) {
            return Error{ErrorCode::bad_argument, "KV memory of " + std::to_string(limit) +
                                                      " bytes holds no page of " +
                                                      std::to_string(shape.page_bytes())};
        }
        return limit;
    }
    const auto half =
        static_cast<std::size_t>(std::max<std::int64_t>(0, available_memory_bytes() / 2));
    return std::max(one, std::min(4 * one, half));
}

} // namespace

Result<std::unique_ptr<Engine>> Scheduler::create(std::shared_ptr<const model::LoadedModel> model,
                                                  const EngineOptions& options) {
    if (auto checked = check_options(options); !checked) {
        return std::move(checked).error();
    }
    const cache::KvShape shape = model::kv_shape(model->config(), options.cache_type);
    auto n_ctx = choose_n_ctx(model->info(), options, available_memory_bytes());
    if (!n_ctx) {
        return std::move(n_ctx).error();
    }
    auto max_kv_bytes = choose_kv_bytes(options, *n_ctx, shape);
    if (!max_kv_bytes) {
        return std::move(max_kv_bytes).error();
    }
    std::unique_ptr<Scheduler> s(new Scheduler(std::move(model), options, *n_ctx, *max_kv_bytes));
    if (auto done = s->context_.resize(s->n_batch_ + s->n_slots_); !done) {
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
      n_slots_(options.n_slots), oldest_share_(options.oldest_share),
      pool_(model::kv_shape(loaded_->config(), options.cache_type), max_kv_bytes), index_(pool_),
      context_(loaded_->config(), loaded_->weights(), loaded_->kernel(), pool_.shape()),
      executor_(
          options.n_threads > 0 ? options.n_threads : usable_cores(),
          static_cast<std::size_t>(loaded_->config().n_layer * kMaxOpsPerLayer + kMaxOpsPerLayer)),
      clock_(options.on_step_times),
      budget_(options.step_ms, options.token_budget, options.n_batch) {
    wanted_threads_ = executor_.n_threads();
    status_.n_threads = wanted_threads_;
    status_.n_ctx = n_ctx_;
    status_.kv_max_bytes = static_cast<std::int64_t>(max_kv_bytes);
    plan_.reserve(
        static_cast<std::size_t>(loaded_->config().n_layer * kMaxOpsPerLayer + kMaxOpsPerLayer));
    rows_.reserve(static_cast<std::size_t>(n_batch_ + n_slots_));
}

} // namespace sotto::runtime
