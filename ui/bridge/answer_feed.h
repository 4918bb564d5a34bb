// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/bridge/event_queue.h"

#include <chrono>
#include <cstdint>
#include <memory>

namespace sotto::ui {

/// What the engine reports of one answer, on its way into the queue; counts the tokens and the time
/// of a thought on the way. The engine's thread.
class AnswerFeed final {
  public:
    using Clock = std::chrono::steady_clock;

    /// `thinking`: the prompt ends inside a thought.
    AnswerFeed(std::uint64_t id, bool thinking, std::shared_ptr<EventQueue> events)
        : m_id(id), m_thinking(thinking), m_events(std::move(events)) {}

    void put(const Event& event, Clock::time_point now = Clock::now());

  private:
    void putPrompt(const Event& event);
    void putWriting(const Event& event, Clock::time_point now);
    void putFinished(const Event& event);
    [[nodiscard]] BridgeEvent make(BridgeEvent::Kind kind, const Event& event) const;

    const std::uint64_t m_id;
    bool m_thinking;
    const std::shared_ptr<EventQueue> m_events;
    std::int64_t m_silent = 0; ///< tokens since the last text: half a character, a mark, blanks
    Clock::time_point m_last;  ///< up to here the time is told
};

} // namespace sotto::ui
