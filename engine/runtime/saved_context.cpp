// SPDX-License-Identifier: Apache-2.0
// Keys and values to files and back. Files are read and written on the caller's thread; what
// belongs to the scheduler is done by it, between two steps.
#include "engine/base/parallel.h"
#include "engine/runtime/scheduler.h"

#include <algorithm>
#include <mutex>

namespace sotto::runtime {

void Scheduler::run_between_steps(const std::function<void()>& task) {
    std::packaged_task<void()> packaged(task);
    std::future<void> done = packaged.get_future();
    {
        const std::lock_guard lock(mutex_);
        tasks_.push_back(std::move(packaged));
    }
    wake_.notify_one();
    done.wait();
}

cache::KvFileKey Scheduler::file_key() const {
    const std::string& source = model_->info().template_source;
    return {loaded_->hash(), hash_bytes(std::as_bytes(std::span(source))), pool_.shape()};
}

Result<std::int64_t> Scheduler::save_context(std::span<const TokenId> tokens,
                                             const std::string& path) {
    cache::KvSequence kv(pool_); // holds the pages, so that nobody writes to them
    std::int64_t n_known = 0;
    run_between_steps([&] { n_known = index_.find(tokens, kv); });
    auto done =
        cache::write_kv_file(path, file_key(), tokens.first(static_cast<std::size_t>(n_known)), kv);
    run_between_steps([&] { kv.truncate(0); });
    if (!done) {
        return std::move(done).error();
    }
    return n_known;
}

/// Older pages give way, running requests do not.
Result<void> Scheduler::reserve_for_file(cache::KvSequence& kv, std::int64_t n_tokens) {
    for (;;) {
        auto done = kv.reserve(0, n_tokens);
        if (done || !index_.evict_one()) {
            return done;
        }
    }
}

namespace {

Result<void> read_pages(const cache::KvFileReader& reader, const cache::KvSequence& kv,
                        std::size_t page_bytes) {
    std::mutex mutex;
    Result<void> result;
    parallel_for(reader.n_pages(), [&](std::size_t i) {
        auto read = reader.read_page(i, {kv.page(i)->data, page_bytes});
        if (!read) {
            const std::lock_guard lock(mutex);
            result = std::move(read);
        }
    });
    return result;
}

} // namespace

Result<std::int64_t> Scheduler::restore_context(const std::string& path) {
    auto reader = cache::KvFileReader::open(path, file_key());
    if (!reader) {
        return std::move(reader).error();
    }
    const std::vector<TokenId>& tokens = reader->tokens();
    cache::KvSequence kv(pool_);
    Result<void> done;
    run_between_steps(
        [&] { done = reserve_for_file(kv, static_cast<std::int64_t>(tokens.size())); });
    if (done) {
        done = read_pages(*reader, kv, pool_.shape().page_bytes());
    }
    run_between_steps([&] {
        if (done && !tokens.empty()) {
            index_.add(tokens, kv);
        }
        kv.truncate(0);
    });
    if (!done) {
        return std::move(done).error();
    }
    return static_cast<std::int64_t>(tokens.size());
}

} // namespace sotto::runtime
