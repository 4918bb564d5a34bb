// SPDX-License-Identifier: Apache-2.0
#include "ui/bridge/event_queue.h"

#include <QtCore/QCoreApplication>

#include <utility>

namespace sotto::ui {

QEvent::Type EventQueue::wakeUpType() {
    static const int type = QEvent::registerEventType();
    return static_cast<QEvent::Type>(type);
}

EventQueue::EventQueue(QObject* receiver)
    : m_receiver(receiver), m_wakeUp(std::make_unique<QEvent>(wakeUpType())) {}

void EventQueue::put(BridgeEvent event) {
    const std::lock_guard lock(m_mutex);
    if (!m_receiver) {
        return;
    }
    if (!merge(event)) {
        m_events.push_back(std::move(event));
    }
    if (m_wakeUp) {
        QCoreApplication::postEvent(m_receiver, m_wakeUp.release());
    }
}

namespace {

bool isWriting(BridgeEvent::Kind kind) {
    return kind == BridgeEvent::Kind::Thinking || kind == BridgeEvent::Kind::Text;
}

/// Thinking and text stay in their order; what is neither joins what is there.
bool mergeWriting(BridgeEvent& last, BridgeEvent& event) {
    if (last.kind != event.kind && !last.text.empty() && !event.text.empty()) {
        return false;
    }
    if (last.text.empty()) {
        last.kind = event.kind;
    }
    last.text += event.text;
    last.tokens += event.tokens;
    last.ms += event.ms;
    last.timings = event.timings;
    return true;
}

} // namespace

bool EventQueue::merge(BridgeEvent& event) {
    if (m_events.empty() || m_events.back().id != event.id) {
        return false;
    }
    BridgeEvent& last = m_events.back();
    if (isWriting(last.kind) && isWriting(event.kind)) {
        return mergeWriting(last, event);
    }
    if (last.kind != event.kind) {
        return false;
    }
    switch (event.kind) {
    case BridgeEvent::Kind::LoadProgress:
    case BridgeEvent::Kind::Prompt:
    case BridgeEvent::Kind::Counted:
    case BridgeEvent::Kind::Status:
        last = std::move(event);
        return true;
    default:
        return false;
    }
}

std::vector<BridgeEvent> EventQueue::take() {
    const std::lock_guard lock(m_mutex);
    if (!m_wakeUp) {
        m_wakeUp = std::make_unique<QEvent>(wakeUpType());
    }
    return std::exchange(m_events, {});
}

void EventQueue::detach() {
    const std::lock_guard lock(m_mutex);
    m_receiver = nullptr;
}

} // namespace sotto::ui
