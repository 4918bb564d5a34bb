// SPDX-License-Identifier: Apache-2.0
// What comes in: checks, tokens that are known already, and memory.
#include "engine/runtime/scheduler.h"

#include <algorithm>

namespace sotto::runtime {
namespace {

using cache::kPageTokens;

std::string tokens_text(std::int64_t n) {
    return std::to_string(n) + (n == 1 ? " token" : " tokens");
}

} // namespace

void Scheduler::admit(std::unique_ptr<Sequence> sequence) {
    Sequence& s = *sequence;
    running_.push_back(std::move(sequence));
    const auto n_vocab = static_cast<TokenId>(loaded_->config().n_vocab);
    for (const std::vector<TokenId>* ids : {&s.options.prompt, &s.options.forced}) {
        if (const auto it = std::ranges::find_if(*ids, [this](TokenId id) { return is_bad(id); });
            it != ids->end()) {
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
    prompt_tokens_ += s.n_prompt();
    take_known(s);
    if (running_.size() == 1) {
        executor_.reset_threads_used();
    }
}

/// A sequence without pages takes up those of the longest prefix that was ever computed.
void Scheduler::take_known(Sequence& s) {
    const std::span<const TokenId> wanted(s.tokens.data(),
                                          static_cast<std::size_t>(s.n_reusable()));
    s.n_computed = index_.find(wanted, s.kv);
    count_reused(s, s.n_computed);
}

/// While a prompt is read, others may have computed what comes next.
void Scheduler::take_known_pages(Sequence& s) {
    const std::int64_t n = s.n_computed;
    if (n % kPageTokens != 0 || s.n_reusable() < n + kPageTokens) {
        return;
    }
    s.kv.truncate(n);
    const std::span<const TokenId> wanted(s.tokens.data(),
                                          static_cast<std::size_t>(s.n_reusable()));
    s.n_computed = index_.find_pages(wanted, n, s.kv);
    count_reused(s, s.n_computed - n);
}

void Scheduler::count_reused(Sequence& s, std::int64_t n) {
    if (!s.answering()) {
        s.timings.reused_tokens += n;
        reused_tokens_ += n;
    }
}

/// Pages for the next n_rows of s. Where memory is short, pages that no one uses are given up, then
/// those of younger requests, which are paused; a request that is the youngest itself is paused if
/// others will leave it memory.
Scheduler::Room Scheduler::make_room(Sequence& s, std::int64_t n_rows, Error& error) {
    for (;;) {
        auto done = s.kv.reserve(s.n_computed, s.n_computed + n_rows);
        if (done) {
            return Room::made;
        }
        if (index_.evict_one()) {
            continue;
        }
        if (drop_shared_end(s)) {
            return Room::form_again;
        }
        const auto holds = [](const auto& other) {
            return other->alive() && other->kv.capacity() > 0;
        };
        Sequence& victim =
            **std::find_if(running_.rbegin(), running_.rend(), // the youngest first
                           [&](const auto& other) { return other.get() == &s || holds(other); });
        if (&victim != &s ||
            std::ranges::count_if(running_, holds) > (s.kv.capacity() > 0 ? 1 : 0)) {
            pause(victim);
            return Room::form_again;
        }
        error = std::move(done).error();
        return Room::none;
    }
}

/// A page that is shared with the index and of which s has only the beginning would have to be
/// copied: without it the page can be given up.
bool Scheduler::drop_shared_end(Sequence& s) {
    const std::int64_t n = s.n_computed / kPageTokens * kPageTokens;
    if (n == s.n_computed || s.kv.page(static_cast<std::size_t>(n / kPageTokens))->n_holders == 1) {
        return false;
    }
    count_reused(s, n - s.n_computed);
    s.n_computed = n;
    s.kv.truncate(n);
    return true;
}

/// What it computed stays known as long as nobody needs the memory.
void Scheduler::pause(Sequence& s) {
    keep(s);
    s.kv.truncate(0);
    s.timings.recomputed_tokens += s.n_computed;
    s.n_computed = 0;
    s.paused = true;
}

/// The oldest first, as far as there is memory for all its tokens and a page more; one goes on in
/// any case.
void Scheduler::resume_paused() {
    std::int64_t n_left = static_cast<std::int64_t>(pool_.n_left() + index_.n_evictable());
    bool any = std::ranges::any_of(running_, [](const auto& s) { return s->alive(); });
    for (const auto& s : running_) {
        if (!s->paused || s->finished) {
            continue;
        }
        const std::int64_t n_pages = static_cast<std::int64_t>(s->tokens.size()) / kPageTokens + 2;
        if (any && n_pages > n_left) {
            return;
        }
        n_left -= n_pages;
        any = true;
        s->paused = false;
        take_known(*s);
        s->timings.recomputed_tokens -= s->n_computed;
    }
}

/// Makes known what a sequence has computed.
void Scheduler::keep(Sequence& s) {
    if (!s.paused && s.n_computed > 0) {
        index_.add(std::span(s.tokens).first(static_cast<std::size_t>(s.n_computed)), s.kv);
    }
}

} // namespace sotto::runtime
