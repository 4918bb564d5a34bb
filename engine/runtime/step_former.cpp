// SPDX-License-Identifier: Apache-2.0
// Which rows a step computes: one for each answer that is written, and of the prompts as many as
// the step may take.
#include "engine/runtime/scheduler.h"

#include <algorithm>

namespace sotto::runtime {

void Scheduler::form_step() {
    resume_paused();
    while (!try_form_step()) { // each time pages were taken from someone
    }
}

bool Scheduler::try_form_step() {
    rows_.clear();
    in_step_.clear();
    n_logits_ = 0;
    n_read_ = 0;
    return add_writers() && add_readers();
}

bool Scheduler::add_writers() {
    return std::ranges::all_of(running_, [this](const auto& s) {
        return !s->alive() || !s->writing() || add_rows(*s, 1);
    });
}

/// Prompts, and what paused requests had computed before.
std::vector<Sequence*> Scheduler::readers() {
    std::vector<Sequence*> all;
    for (const auto& s : running_) {
        if (s->alive() && !s->writing()) {
            all.push_back(s.get());
        }
    }
    return all;
}

/// A part of the rows is the oldest request's, so that none waits for ever; the others go to those
/// with the fewest tokens left, which brings answers soonest.
bool Scheduler::add_readers() {
    std::vector<Sequence*> all = readers();
    if (all.empty()) {
        return true;
    }
    std::int64_t left = in_step_.empty() ? n_batch_ : budget_.rows();
    const std::int64_t own = std::max<std::int64_t>(1, left * oldest_share_ / 100);
    Sequence* oldest = all.front();
    std::ranges::stable_sort(all, {}, [](const Sequence* s) { return s->n_pending(); });
    std::int64_t reserved = std::min(own, oldest->n_pending());
    left -= reserved;
    for (Sequence* s : all) {
        if (s == oldest) {
            left += std::exchange(reserved, 0);
        }
        take_known_pages(*s);
        const std::int64_t n = std::min(left, s->n_pending());
        if (n > 0 && !add_rows(*s, n)) {
            return false;
        }
        if (n > 0 && !s->finished) {
            left -= n;
            n_read_ += n;
        }
    }
    return true;
}

/// False if room was made by taking pages from a request: the step is to be formed again.
bool Scheduler::add_rows(Sequence& s, std::int64_t n_rows) {
    Error error;
    const Room room = make_room(s, n_rows, error);
    if (room == Room::form_again) {
        return false;
    }
    if (room == Room::none) {
        finish(s, FinishReason::error, std::move(error));
        return true;
    }
    s.n_rows = n_rows;
    s.first_logits = n_logits_;
    s.picked = -1;
    for (std::int64_t i = 0; i < n_rows; ++i) {
        const std::int64_t pos = s.n_computed + i;
        const bool last = i + 1 == n_rows && s.picks();
        const bool wanted = last || (s.scores(pos) && pos >= s.n_scored);
        n_logits_ += wanted ? 1 : 0;
        rows_.push_back({s.tokens[static_cast<std::size_t>(pos)], static_cast<std::int32_t>(pos),
                         &s.kv, wanted});
    }
    s.n_logits = n_logits_ - s.first_logits;
    in_step_.push_back(&s);
    return true;
}

/// The forward pass, and picking tokens as its last operation: over large vocabularies it takes
/// time, and there may be many sequences.
void Scheduler::plan_step() {
    plan_.clear();
    loaded_->architecture().plan(context_, plan_);
    plan_.push_back({run_choose, this, 0, static_cast<std::int64_t>(in_step_.size()), "sample"});
}

} // namespace sotto::runtime
