// SPDX-License-Identifier: Apache-2.0
#include "app/cli/batch_run.h"

#include "app/cli/command.h"
#include "app/cli/json_input.h"
#include "app/cli/json_output.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace sotto::cli {
namespace {

constexpr auto kPoll = std::chrono::milliseconds(20); // how late a Ctrl-C may be seen
constexpr std::size_t kSubmittedPerSlot = 4;
// Answers behind one that takes long wait in memory: as many as keep the slots busy meanwhile.
constexpr std::size_t kHeldPerSlot = 64;

} // namespace

/// Jobs are filled in on the scheduler's thread, under this mutex, until they are finished.
struct BatchRun::Shared {
    std::mutex mutex;
    std::condition_variable changed;
    bool has_news = false;
    std::size_t n_finished = 0;

    void tell() {
        const std::lock_guard lock(mutex);
        has_news = true;
        changed.notify_one();
    }
    void wait() {
        std::unique_lock lock(mutex);
        changed.wait_for(lock, kPoll, [this] { return has_news; });
        has_news = false;
    }
};

struct BatchRun::Job {
    std::int64_t line = 0;
    std::vector<TokenId> prompt;
    Outcome outcome;
    LogitsHash hash;
    bool finished = false;
};

BatchRun::BatchRun(const RequestFlags& flags, const Session& session, RequestMaker& maker,
                   std::shared_ptr<InterruptibleInput> in)
    : flags_(flags), engine_(*session.engine), maker_(maker), shared_(std::make_shared<Shared>()),
      input_(std::move(in), [shared = shared_] { shared->tell(); }) {}

int BatchRun::run() {
    const auto began = std::chrono::steady_clock::now();
    for (;;) {
        const bool done = input_.ended() && entries_.empty();
        if (!interrupted_ && interrupt_is_pending()) { // after that look: it ends the input too
            interrupt();
        }
        if (done) {
            break;
        }
        take_lines();
        print_finished();
        shared_->wait();
    }
    return end(std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
}

void BatchRun::take_lines() {
    while (has_room() && !interrupt_is_pending()) {
        const auto line = input_.next();
        if (!line) {
            return;
        }
        start(*line);
        print_finished(); // tokenizing many long prompts takes its time
    }
}

bool BatchRun::has_room() const {
    const auto n_slots = static_cast<std::size_t>(flags_.model.engine.n_slots);
    const std::lock_guard lock(shared_->mutex);
    return n_submitted_ - shared_->n_finished < kSubmittedPerSlot * n_slots &&
           entries_.size() < kHeldPerSlot * n_slots;
}

void BatchRun::start(const BatchLine& line) {
    Entry& entry = entries_.emplace_back(Entry{std::make_shared<Job>(), nullptr});
    entry.job->line = line.number;
    auto request = request_of(line);
    if (request) {
        return submit(entry, *std::move(request));
    }
    entry.job->outcome.error = std::move(request).error();
    entry.job->finished = true;
}

Result<RequestOptions> BatchRun::request_of(const BatchLine& line) {
    if (line.too_long) {
        return Error{ErrorCode::bad_argument,
                     "it is longer than " + std::to_string(kMaxLineBytes >> 20) + " MiB"};
    }
    auto prompt = parse_batch_line(line.text, flags_.n, flags_.sampling);
    if (!prompt) {
        return std::move(prompt).error();
    }
    auto request = maker_.from_text(std::move(prompt->text));
    if (request) {
        request->max_tokens = prompt->n;
        request->sampling = prompt->sampling;
    }
    return request;
}

void BatchRun::submit(Entry& entry, RequestOptions request) {
    // The callbacks share the job: they may outlive this run if an exception ends it.
    entry.job->prompt = request.prompt;
    if (flags_.logits_hash) {
        request.on_logits = [job = entry.job](Pos, std::span<const float> logits) {
            job->hash.add(logits);
        };
    }
    request.on_event = [job = entry.job, shared = shared_](const Event& event) {
        const std::lock_guard lock(shared->mutex);
        if (job->outcome.add(event)) {
            job->finished = true;
            ++shared->n_finished;
            shared->has_news = true;
            shared->changed.notify_one();
        }
    };
    ++n_submitted_;
    entry.request = engine_.submit(std::move(request));
}

void BatchRun::interrupt() {
    interrupted_ = true;
    for (const Entry& entry : entries_) {
        if (entry.request) {
            entry.request->cancel();
        }
    }
    input_.stop(); // while the interrupt is pending: it ends the read
    take_interrupts();
}

bool BatchRun::is_finished(const Entry& entry) const {
    const std::lock_guard lock(shared_->mutex);
    return entry.job->finished;
}

void BatchRun::print_finished() {
    if (interrupted_) {
        if (!std::ranges::all_of(entries_, [this](const Entry& e) { return is_finished(e); })) {
            return;
        }
        drop_cancelled();
    }
    bool printed = false;
    for (; !entries_.empty() && is_finished(entries_.front()); entries_.pop_front()) {
        print(*entries_.front().job);
        printed = true;
    }
    if (printed) {
        std::fflush(stdout);
    }
}

/// Those after the last one that is complete; those before it keep their lines.
void BatchRun::drop_cancelled() {
    while (!entries_.empty() && entries_.back().job->outcome.reason == FinishReason::cancelled) {
        entries_.pop_back();
    }
}

void BatchRun::print(Job& job) {
    const Outcome& outcome = job.outcome;
    if (outcome.reason == FinishReason::error || outcome.reason == FinishReason::cancelled) {
        const bool failed = outcome.reason == FinishReason::error;
        statistics_.add_failure();
        return print_json_error("line " + std::to_string(job.line) + ": " +
                                (failed ? outcome.error.message : "interrupted"));
    }
    statistics_.add(outcome, job.prompt.size());
    if (flags_.json) {
        return print_json(outcome, job.prompt,
                          flags_.logits_hash ? std::optional(job.hash.hex()) : std::nullopt,
                          std::nullopt);
    }
    print_json_text(outcome.text);
}

int BatchRun::end(double seconds) {
    std::fprintf(stderr, "[%s]\n", statistics_.text(seconds).c_str());
    if (interrupted_) {
        return interrupted_code();
    }
    if (input_.failed()) {
        return fail({ErrorCode::io, "the file of prompts could not be read to its end"});
    }
    return statistics_.has_failures() ? kFailed : kOk;
}

} // namespace sotto::cli
