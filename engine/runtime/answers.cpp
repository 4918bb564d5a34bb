// SPDX-License-Identifier: Apache-2.0
// What comes out of a step: logits, tokens, texts, the end of an answer.
#include "engine/runtime/scheduler.h"

#include <algorithm>

namespace sotto::runtime {

void Scheduler::take_results(Sequence& s) {
    const std::int64_t first_pos = s.n_computed;
    s.n_computed += s.n_rows;
    s.timings.n_context = s.n_computed;
    s.timings.threads_used = executor_.threads_used();
    if (s.n_computed / cache::kPageTokens > first_pos / cache::kPageTokens) {
        const std::int64_t n = s.n_computed / cache::kPageTokens * cache::kPageTokens;
        index_.add(std::span(s.tokens).first(static_cast<std::size_t>(n)), s.kv);
    }
    if (!s.answering()) {
        report_prompt(s);
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

void Scheduler::report_prompt(Sequence& s) {
    s.timings.prefill_tokens += s.n_rows;
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
}

void Scheduler::deliver_scores(Sequence& s, std::int64_t first_pos) {
    int index = s.first_logits;
    for (std::int64_t pos = std::max(first_pos, s.n_scored); pos < s.n_computed; ++pos) {
        if (s.scores(pos)) {
            s.options.on_logits(static_cast<Pos>(pos), context_.logits_of(index++));
        }
    }
    s.n_scored = std::max(s.n_scored, s.n_computed);
}

/// Changes the logits.
TokenId Scheduler::choose(Sequence& s) {
    const std::span<float> logits = context_.logits_of(s.first_logits + s.n_logits - 1);
    return s.sampler.pick(logits.first(static_cast<std::size_t>(loaded_->n_tokens())), s.tokens,
                          static_cast<std::int64_t>(s.tokens.size()),
                          s.handle->sampling_for(s.n_answer));
}

/// On a worker. Whoever wants to see the logits sees them before: pick() chooses then.
void Scheduler::run_choose(void* scheduler, std::int64_t, std::int64_t index, int) {
    auto& self = *static_cast<Scheduler*>(scheduler);
    Sequence& s = *self.in_step_[static_cast<std::size_t>(index)];
    if (s.picks() && !s.options.on_logits) {
        s.picked = self.choose(s);
    }
}

void Scheduler::pick(Sequence& s) {
    const std::int64_t last_pos = s.n_computed - 1;
    if (s.options.on_logits) {
        if (s.answering() || !s.scores(last_pos)) {
            s.options.on_logits(static_cast<Pos>(last_pos),
                                context_.logits_of(s.first_logits + s.n_logits - 1));
        }
        s.picked = choose(s);
    }
    TokenId token = s.picked;
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

void Scheduler::count_token(Sequence& s) {
    const Clock::time_point now = Clock::now();
    const auto ms = [](Clock::duration d) {
        return std::chrono::duration<double, std::milli>(d).count();
    };
    if (!s.answering()) {
        s.first_token = now;
        s.timings.ttft_ms = ms(now - s.submitted);
        return;
    }
    ++s.timings.decode_tokens;
    const double spent = ms(now - s.first_token);
    s.timings.decode_tokens_per_s =
        spent > 0 ? 1000.0 * static_cast<double>(s.timings.decode_tokens) / spent : 0;
}

void Scheduler::accept(Sequence& s, TokenId token) {
    count_token(s);
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
    } else if (static_cast<std::int64_t>(s.tokens.size()) > n_ctx_ && !shorten(s)) {
        finish(s, FinishReason::context);
    }
}

/// Goes on with a shorter prompt, if the request has one: what of it is not known is computed
/// again.
bool Scheduler::shorten(Sequence& s) {
    if (!s.options.on_context_full) {
        return false;
    }
    const auto answer =
        std::span<const TokenId>(s.tokens).last(static_cast<std::size_t>(s.n_answer));
    std::vector<TokenId> tokens = s.options.on_context_full(answer);
    const auto total = static_cast<std::int64_t>(tokens.size() + answer.size());
    if (tokens.empty() || total > n_ctx_ ||
        std::ranges::any_of(tokens, [this](TokenId id) { return is_bad(id); })) {
        return false;
    }
    s.options.prompt = tokens;
    tokens.insert(tokens.end(), answer.begin(), answer.end());
    keep(s);
    s.kv.truncate(0);
    s.tokens = std::move(tokens);
    take_known(s);
    s.timings.recomputed_tokens += s.n_pending();
    return true;
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

} // namespace sotto::runtime
