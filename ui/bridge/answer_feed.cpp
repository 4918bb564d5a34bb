// SPDX-License-Identifier: Apache-2.0
#include "ui/bridge/answer_feed.h"

#include <utility>

namespace sotto::ui {

BridgeEvent AnswerFeed::make(BridgeEvent::Kind kind, const Event& event) const {
    BridgeEvent made;
    made.kind = kind;
    made.id = m_id;
    made.timings = event.timings;
    return made;
}

void AnswerFeed::put(const Event& event, Clock::time_point now) {
    if (event.kind == Event::Kind::prefill) {
        m_last = now;
        putPrompt(event);
        return;
    }
    putWriting(event, now);
    if (event.kind == Event::Kind::finished) {
        putFinished(event);
    }
}

void AnswerFeed::putPrompt(const Event& event) {
    BridgeEvent made = make(BridgeEvent::Kind::Prompt, event);
    made.done = event.prompt_done;
    made.total = event.prompt_total;
    m_events->put(std::move(made));
}

/// A token without text of its own is counted with the next one of the thought; the marks round it
/// are not.
void AnswerFeed::putWriting(const Event& event, Clock::time_point now) {
    const bool token = event.kind == Event::Kind::token;
    m_silent += token && m_thinking ? 1 : 0;
    if (!event.thinking.empty()) {
        BridgeEvent thought = make(BridgeEvent::Kind::Thinking, event);
        thought.text = event.thinking;
        thought.tokens = m_thinking ? m_silent : 1;
        thought.ms = m_last == Clock::time_point{}
                         ? 0
                         : std::chrono::duration<double, std::milli>(now - m_last).count();
        m_thinking = true;
        m_silent = 0;
        m_last = now;
        m_events->put(std::move(thought));
    }
    if (!event.text.empty()) {
        m_thinking = false;
        m_silent = 0;
    }
    if (!event.text.empty() || event.thinking.empty()) {
        BridgeEvent text = make(BridgeEvent::Kind::Text, event);
        text.text = event.text;
        m_events->put(std::move(text));
    }
    if (!m_thinking) {
        m_last = now;
    }
}

void AnswerFeed::putFinished(const Event& event) {
    BridgeEvent made = make(BridgeEvent::Kind::Finished, event);
    made.reason = event.reason;
    made.error = event.error;
    m_events->put(std::move(made));
}

} // namespace sotto::ui
