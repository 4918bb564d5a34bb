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

bool EventQueue::merge(BridgeEvent& event) {
    using Kind = BridgeEvent::Kind;
    if (m_events.empty() || m_events.back().kind != event.kind || m_events.back().id != event.id) {
        return false;
    }
    BridgeEvent& last = m_events.back();
    switch (event.kind) {
    case Kind::Text:
        last.text += event.text;
        last.timings = event.timings;
        return true;
    case Kind::LoadProgress:
    case Kind::Prompt:
    case Kind::Counted:
    case Kind::Status:
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
