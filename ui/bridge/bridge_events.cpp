// SPDX-License-Identifier: Apache-2.0
// What comes back from the workers and the engine, told as signals.
#include "ui/bridge/answer.h"
#include "ui/bridge/bridge.h"
#include "ui/bridge/worker.h"

#include <utility>

namespace sotto::ui {
namespace {

constexpr int kTickMs = 33;
constexpr int kStatusMs = 1000;

} // namespace

bool Bridge::event(QEvent* event) {
    if (event->type() != EventQueue::wakeUpType()) {
        return QObject::event(event);
    }
    const qint64 since = m_lastDrain.isValid() ? m_lastDrain.elapsed() : kTickMs;
    if (since >= kTickMs) {
        drain();
    } else if (!m_tick.isActive()) {
        m_tick.start(static_cast<int>(kTickMs - since));
    }
    return true;
}

void Bridge::drain() {
    QPointer<Bridge> alive(this); // a slot may delete this
    m_lastDrain.start();
    for (BridgeEvent& event : m_events->take()) {
        m_batch.push_back(std::move(event));
    }
    while (!m_batch.empty()) {
        BridgeEvent event = std::move(m_batch.front());
        m_batch.pop_front();
        dispatch(event, alive);
        if (!alive) {
            return;
        }
    }
    if (m_answer && (!m_lastStatus.isValid() || m_lastStatus.elapsed() >= kStatusMs)) {
        refreshStatus();
    }
}

void Bridge::dispatch(BridgeEvent& event, QPointer<Bridge>& alive) {
    using Kind = BridgeEvent::Kind;
    const bool ofLoad = isLoading() && event.id == m_load.id;
    const bool ofAnswer = m_answer && event.id == m_answer->id();
    if (event.kind == Kind::Loaded) {
        ofLoad ? takeSession(std::move(event.session), alive) : release(std::move(event.session));
    } else if (event.kind == Kind::LoadProgress && ofLoad) {
        Q_EMIT loadProgress(event.done, event.total);
    } else if (event.kind == Kind::LoadFailed && ofLoad) {
        loadEnded(event);
    } else if (event.kind == Kind::Submitted && ofAnswer) {
        answerSubmitted(event, alive);
    } else if (event.kind == Kind::Dropped && ofAnswer) {
        Q_EMIT turnsDropped(static_cast<int>(event.done));
    } else if (event.kind == Kind::Prompt && ofAnswer) {
        Q_EMIT promptProgress(event.done, event.total);
        if (alive) {
            report(event.timings, alive);
        }
    } else if ((event.kind == Kind::Thinking || event.kind == Kind::Text) && ofAnswer) {
        answerWritten(event, alive);
    } else if (event.kind == Kind::Finished && ofAnswer) {
        answerEnded(event, alive);
    } else if (event.kind == Kind::Counted && event.id == *m_count) {
        Q_EMIT tokensCounted(event.done);
    } else if (event.kind == Kind::Status && m_session && event.id == m_session->id) {
        Q_EMIT memoryUse(m_session->details.info.weight_bytes + event.status.kv_bytes);
        if (alive) {
            Q_EMIT engineStatus(event.status);
        }
    }
}

void Bridge::takeSession(std::shared_ptr<Session> session, QPointer<Bridge>& alive) {
    const bool again = std::exchange(m_load, {}).again;
    if (m_answer) { // of the old engine
        m_answer->stop();
        cancelAnswer(m_timings);
    }
    if (!alive) {
        return;
    }
    release(std::exchange(m_session, std::move(session)));
    if (m_engineOptions.n_threads > 0) { // may have been changed while it was loading
        setThreads(m_engineOptions.n_threads);
    }
    countTokens(m_countText);
    refreshStatus();
    const ModelDetails details = m_session->details;
    if (again) {
        Q_EMIT modelReloaded(details);
        return;
    }
    Q_EMIT modelLoaded(details);
    if (alive && m_session) {
        Q_EMIT contextUse(0, details.nCtx);
    }
}

void Bridge::loadEnded(const BridgeEvent& event) {
    const QString path = std::exchange(m_load, {}).path;
    Q_EMIT loadFailed(path, event.error.code, QString::fromStdString(event.error.message));
}

void Bridge::answerSubmitted(const BridgeEvent& event, QPointer<Bridge>& alive) {
    if (!event.text.empty()) {
        Q_EMIT chatNotice(QString::fromStdString(event.text));
    }
    if (alive && m_answer && m_answer->id() == event.id) {
        Q_EMIT answerStarted(event.done);
    }
}

void Bridge::answerWritten(const BridgeEvent& event, QPointer<Bridge>& alive) {
    const QString text = QString::fromStdString(event.text);
    if (event.kind == BridgeEvent::Kind::Thinking) {
        Q_EMIT thinkingArrived(text, event.tokens, event.ms);
    } else if (!text.isEmpty()) {
        Q_EMIT textArrived(text);
    }
    if (alive) {
        report(event.timings, alive);
    }
}

void Bridge::answerEnded(const BridgeEvent& event, QPointer<Bridge>& alive) {
    report(event.timings, alive);
    if (!alive || !m_answer || m_answer->id() != event.id) { // a slot gave it up
        return;
    }
    QString message = QString::fromStdString(event.error.message);
    if (event.error.code == ErrorCode::too_long && event.total > 0) {
        message = tr("The chat with this message is %L1 tokens long; the context holds %L2")
                      .arg(event.done)
                      .arg(event.total);
    }
    forgetAnswer();
    refreshStatus();
    Q_EMIT answerFinished(event.reason, message, event.timings);
}

void Bridge::report(const Timings& timings, QPointer<Bridge>& alive) {
    m_timings = timings;
    Q_EMIT statistics(timings);
    if (alive && m_session && timings.n_context > 0) {
        Q_EMIT contextUse(timings.n_context, m_session->details.nCtx);
    }
}

void Bridge::refreshStatus() {
    if (m_session) {
        m_lastStatus.start();
        m_preparer->post([session = m_session, events = m_events] {
            BridgeEvent event;
            event.kind = BridgeEvent::Kind::Status;
            event.id = session->id;
            event.status = session->engine->status();
            events->put(std::move(event));
        });
    }
}

} // namespace sotto::ui
