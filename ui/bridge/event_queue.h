// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/bridge/session.h"

#include <QtCore/QEvent>

#include <memory>
#include <mutex>
#include <string>
#include <vector>

class QObject;

namespace sotto::ui {

/// Something that happened on another thread, on its way to the window.
struct BridgeEvent {
    enum class Kind {
        LoadProgress, ///< done of total bytes
        Loaded,       ///< session
        LoadFailed,   ///< error
        Submitted, ///< the prompt has `done` tokens of `total` that the context holds; text: what
                   ///< there is to say of it, or empty
        Dropped,   ///< done: messages of the chat left out by now
        Prompt,    ///< done of total prompt tokens, timings
        Thinking,  ///< text, tokens, ms, timings
        Text,      ///< text, timings
        Finished,  ///< reason, error, timings; with ErrorCode::too_long and total > 0 also done and
                   ///< total
        Counted,   ///< done tokens
        Status,    ///< status
    };
    Kind kind = Kind::Text;
    std::uint64_t id = 0; ///< of the load, the answer, the count or the session that it belongs to
    std::int64_t done = 0;
    std::int64_t total = 0;
    std::string text;        ///< whole characters
    std::int64_t tokens = 0; ///< of a thought, that this piece of it took
    double ms = 0;           ///< likewise
    FinishReason reason = FinishReason::stop;
    Error error;
    Timings timings;
    EngineStatus status;
    std::shared_ptr<Session> session;
};

/// Events from any thread, for one QObject. Qt carries no data: only a wake-up event, and only one
/// at a time. Neighbouring events that the window would show as one are merged here, so that a
/// window that stands still costs the text that came meanwhile and nothing else.
class EventQueue final {
  public:
    /// The type of the wake-up event that the receiver gets.
    static QEvent::Type wakeUpType();

    explicit EventQueue(QObject* receiver);
    /// Any thread, never waits for the window. After detach() the event is dropped.
    void put(BridgeEvent event);
    /// The receiver's thread. All events so far, in order; from now on a new one wakes the receiver
    /// again.
    [[nodiscard]] std::vector<BridgeEvent> take();
    /// No wake-up is sent after this returns: the receiver may die.
    void detach();

  private:
    [[nodiscard]] bool merge(BridgeEvent& event);

    std::mutex m_mutex;
    QObject* m_receiver;
    std::vector<BridgeEvent> m_events;
    std::unique_ptr<QEvent>
        m_wakeUp; ///< for the next put(); made by the receiver's thread, null while under way
};

} // namespace sotto::ui
