// SPDX-License-Identifier: Apache-2.0
#include "ui/bridge/bridge.h"

#include "ui/bridge/answer.h"
#include "ui/bridge/load_task.h"
#include "ui/bridge/worker.h"

#include <QtCore/QThread>

#include <utility>

namespace sotto::ui {
namespace {

constexpr int kCountDelayMs = 120;

int threadsFor(int nThreads) {
    return nThreads > 0 ? nThreads : QThread::idealThreadCount();
}

} // namespace

Bridge::Bridge(std::shared_ptr<Backend> backend, QObject* parent)
    : QObject(parent), m_backend(std::move(backend)), m_events(std::make_shared<EventQueue>(this)),
      m_count(std::make_shared<std::atomic<std::uint64_t>>(0)),
      m_loader(std::make_unique<Worker>()), m_preparer(std::make_unique<Worker>()) {
    m_tick.setSingleShot(true);
    m_countDelay.setSingleShot(true);
    m_countDelay.setInterval(kCountDelayMs);
    connect(&m_tick, &QTimer::timeout, this, &Bridge::drain);
    connect(&m_countDelay, &QTimer::timeout, this, &Bridge::startCount);
}

Bridge::~Bridge() {
    end();
}

ModelDetails Bridge::details() const {
    return m_session ? m_session->details : ModelDetails{};
}

// ---- models ----------------------------------------------------------------------------------

void Bridge::openModel(const QString& path) {
    if (m_ended) {
        return;
    }
    m_load.cancel.cancel();
    m_load = {++m_lastId, path, CancelToken{}, false};
    m_loader->post([backend = m_backend, events = m_events, file = path.toStdString(),
                    engine = m_engineOptions, id = m_load.id, cancel = m_load.cancel] {
        events->put(loadSession(*backend, file, engine, id, cancel, events));
    });
    Q_EMIT modelLoading(path);
}

void Bridge::cancelLoad() {
    if (isLoading()) {
        m_load.cancel.cancel();
        const QString path = std::exchange(m_load, {}).path;
        Q_EMIT loadCancelled(path);
    }
}

bool Bridge::reload() {
    if (m_ended || !m_session || isLoading()) {
        return false;
    }
    m_load = {++m_lastId, QString::fromStdString(m_session->details.info.path), CancelToken{},
              true};
    m_loader->post([backend = m_backend, events = m_events, model = m_session->model,
                    engine = m_engineOptions,
                    id = m_load.id] { events->put(remakeSession(*backend, model, engine, id)); });
    return true;
}

void Bridge::unload() {
    const QPointer<Bridge> alive(this);
    if (m_load.again) { // its engine comes too late
        m_load = {};
    }
    stop();
    if (alive && m_session) {
        release(std::exchange(m_session, nullptr));
        Q_EMIT modelUnloaded();
    }
}

// ---- answers ---------------------------------------------------------------------------------

bool Bridge::send(std::vector<ChatMessage> messages, const SamplingParams& params,
                  const ChatOptions& chat, int nDropped) {
    const QPointer<Bridge> alive(this);
    if (m_answer) {
        m_answer->stop();
        cancelAnswer(m_timings);
    }
    if (!alive || !m_session || m_ended) {
        return false;
    }
    m_timings = {};
    m_answer = std::make_shared<Answer>(++m_lastId, params);
    m_preparer->post([answer = m_answer, session = m_session, events = m_events,
                      question = Question{std::move(messages), chat, m_contextFull, nDropped}] {
        answer->run(*session, question, events);
    });
    return true;
}

void Bridge::stop() {
    if (m_answer && !m_answer->stop()) { // still being prepared: nothing more will come
        cancelAnswer({});
    }
}

void Bridge::cancelAnswer(const Timings& timings) {
    forgetAnswer();
    Q_EMIT answerFinished(FinishReason::cancelled, {}, timings);
}

void Bridge::forgetAnswer() {
    m_preparer->post([last = std::exchange(m_answer, nullptr)] {});
}

void Bridge::setSampling(const SamplingParams& params) {
    if (m_answer) {
        m_answer->setSampling(params);
    }
}

void Bridge::setMemory(const MemorySettings& memory) {
    memory.applyTo(m_engineOptions);
    m_contextFull = memory.contextFull;
}

void Bridge::setThreads(int nThreads) {
    m_engineOptions.n_threads = nThreads;
    if (m_session) {
        m_session->details.nThreads = threadsFor(nThreads);
        m_session->engine->set_n_threads(threadsFor(nThreads));
    }
}

void Bridge::countTokens(const QString& text) {
    m_countText = text;
    m_countDelay.start();
}

void Bridge::startCount() {
    const std::uint64_t id = ++*m_count;
    if (!m_session || m_countText.isEmpty()) {
        Q_EMIT tokensCounted(0);
        return;
    }
    m_preparer->post([id, latest = m_count, session = m_session, events = m_events,
                      text = m_countText.toStdString()] {
        if (*latest == id) {
            events->put(countTokensOf(*session->model, text, id));
        }
    });
}

// ---- the end ---------------------------------------------------------------------------------

/// What may take long to destroy is destroyed on the loader.
void Bridge::release(std::shared_ptr<void> last) {
    m_loader->post([last = std::move(last)] {});
}

void Bridge::end() {
    if (std::exchange(m_ended, true)) {
        return;
    }
    m_tick.stop();
    m_countDelay.stop();
    m_events->detach();
    ++*m_count;
    m_load.cancel.cancel();
    if (m_answer) {
        m_answer->stop();
        forgetAnswer();
    }
    for (BridgeEvent& event : m_events->take()) {
        release(std::move(event.session));
    }
    for (BridgeEvent& event : m_batch) {
        release(std::move(event.session));
    }
    m_batch.clear();
    release(std::exchange(m_session, nullptr));
    m_preparer->close();
    m_loader->close();
}

bool Bridge::finish(std::chrono::milliseconds grace) {
    end();
    m_load = {};
    const auto deadline = std::chrono::steady_clock::now() + grace;
    return m_preparer->waitUntil(deadline) && m_loader->waitUntil(deadline);
}

} // namespace sotto::ui
