// SPDX-License-Identifier: Apache-2.0
#include "app/cli/measurement.h"

#include "app/cli/terminal.h"

#include <cmath>
#include <cstdio>

namespace sotto::cli {

Result<void> Measurement::run() {
    StatusLine status;
    for (std::size_t i = 0; i < windows_.size(); ++i) {
        if (auto done = run_window(windows_[i]); !done) {
            return done;
        }
        char text[100];
        std::snprintf(text, sizeof text, "window %zu of %zu: perplexity %.4f", i + 1,
                      windows_.size(), score_.ppl());
        status.show(text);
    }
    return {};
}

Result<void> Measurement::run_window(const Window& window) {
    const auto tokens = std::span(run_.tokens).subspan(window.begin, window.size);
    RequestOptions request;
    request.prompt.assign(tokens.begin(), tokens.end());
    if (run_.bos >= 0) {
        request.prompt.front() = run_.bos;
    }
    request.max_tokens = 0;
    request.score_begin = window.score_begin;
    request.score_end = window.score_end;
    Result<void> taken;
    request.on_logits = [&](Pos pos, std::span<const float> logits) {
        if (taken) { // the rest of the window is of no use after an error
            taken = take(logits, tokens[static_cast<std::size_t>(pos) + 1]);
        }
    };
    const Outcome outcome = run_request(*session_.engine, std::move(request), {});
    if (outcome.reason == FinishReason::cancelled) {
        return Error{ErrorCode::cancelled, "interrupted"};
    }
    return outcome.reason == FinishReason::error ? outcome.error : taken;
}

Result<void> Measurement::take(std::span<const float> logits, TokenId target) {
    const double nll = negative_log_prob(logits, target);
    const bool coded = writer_ || reader_;
    if (!std::isfinite(nll) || (coded && !encode_log_probs(logits, codes_))) {
        return Error{ErrorCode::non_finite,
                     "the model's output is infinite or not a number after " +
                         std::to_string(score_.n()) + " scored tokens; the file may be damaged"};
    }
    score_.add(nll);
    if (writer_) {
        if (auto done = writer_->add(nll, codes_); !done) {
            return done;
        }
    }
    if (reader_) {
        double base_nll = 0;
        if (auto done = reader_->next(base_nll, base_codes_); !done) {
            return done;
        }
        divergence_.add(table_.divergence(base_codes_, codes_), base_nll, nll);
    }
    return {};
}

} // namespace sotto::cli
