// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/bridge/backend.h"
#include "ui/bridge/event_queue.h"
#include "ui/bridge/session.h"

#include <QtCore/QElapsedTimer>
#include <QtCore/QObject>
#include <QtCore/QPointer>
#include <QtCore/QString>
#include <QtCore/QTimer>

#include <atomic>
#include <chrono>
#include <deque>
#include <memory>
#include <vector>

namespace sotto::ui {

class Answer;
class Worker;

/// The one place where engine callbacks become Qt signals. Lives on the window's thread and never
/// waits: loading, tokenizing and letting go of models happen on two workers of its own; what they
/// and the engine report is drained from a queue about 30 times a second. Signals carry values
/// only. Reports of a load, answer or model that was given up never arrive.
class Bridge final : public QObject {
    Q_OBJECT
  public:
    explicit Bridge(std::shared_ptr<Backend> backend, QObject* parent = nullptr);
    /// Ends everything and joins: after the window is gone, see finish().
    ~Bridge() override;

    [[nodiscard]] bool isLoading() const { return m_load.id != 0; }
    [[nodiscard]] QString loadingPath() const { return m_load.path; }
    [[nodiscard]] bool hasModel() const { return m_session != nullptr; }
    [[nodiscard]] bool isAnswering() const { return m_answer != nullptr; }
    /// Of the open model; empty without one.
    [[nodiscard]] ModelDetails details() const;

    /// Gives up a load under way; then loads. The open model stays, and its running answer goes on,
    /// until the new one is ready; both for good if that fails or is cancelled.
    void openModel(const QString& path);
    void cancelLoad();
    void unload();
    /// Makes another engine for the open model, as setMemory() has it; the weights are not read
    /// again. The engine there is runs on until then, and for good if that fails: loadFailed().
    /// False without a model or while one is loading.
    bool reload();

    /// Asks for the answer to `messages`. False without a model. An answer under way ends as
    /// cancelled. `nDropped`: what turnsDropped() said last of this chat.
    bool send(std::vector<ChatMessage> messages, const SamplingParams& params,
              const ChatOptions& chat = {}, int nDropped = 0);
    /// answerFinished(cancelled) follows within 100 ms, with the text so far before it.
    void stop();
    /// Acts on the answer being written, from its next token on.
    void setSampling(const SamplingParams& params);
    /// 0: one per core. Acts between two steps, and on models opened later.
    void setThreads(int nThreads);
    /// Acts on engines made later; the policy on the next message.
    void setMemory(const MemorySettings& memory);
    /// How many tokens `text` is, told by tokensCounted() a moment after the last call; for a
    /// counter.
    void countTokens(const QString& text);

    /// Ends everything and waits for the workers, at most `grace`. False: they are still busy, and
    /// the destructor would wait for them. For the way out of the program, when no window is left.
    bool finish(std::chrono::milliseconds grace);

  Q_SIGNALS:
    void modelLoading(const QString& path);
    void loadProgress(qint64 done, qint64 total); ///< bytes
    void modelLoaded(const sotto::ui::ModelDetails& details);
    void loadFailed(const QString& path, sotto::ErrorCode code, const QString& message);
    void loadCancelled(const QString& path);
    void modelReloaded(const sotto::ui::ModelDetails& details); ///< by reload()
    void modelUnloaded();
    void answerStarted(qint64 promptTokens); ///< the prompt is with the engine
    /// A sentence about how the chat was put to the model, before answerStarted().
    void chatNotice(const QString& sentence);
    /// So many messages of the chat, the oldest ones, are left out by now. Also in the middle of an
    /// answer.
    void turnsDropped(int nMessages);
    void promptProgress(qint64 done, qint64 total);
    /// Before the answer itself; `nTokens` and `ms` are what this piece of the thought took.
    void thinkingArrived(const QString& text, qint64 nTokens, double ms);
    void textArrived(const QString& text);
    void answerFinished(sotto::FinishReason reason, const QString& message,
                        const sotto::Timings& timings);
    void statistics(const sotto::Timings& timings);
    void contextUse(qint64 used, qint64 nCtx);
    void memoryUse(qint64 bytes); ///< weights and KV pages
    void engineStatus(const sotto::EngineStatus& status);
    void tokensCounted(qint64 nTokens);

  protected:
    bool event(QEvent* event) override;

  private:
    struct Load {
        std::uint64_t id = 0; ///< 0: none
        QString path;
        CancelToken cancel;
        bool again = false; ///< by reload()
    };

    void drain();
    void dispatch(BridgeEvent& event, QPointer<Bridge>& alive);
    void takeSession(std::shared_ptr<Session> session, QPointer<Bridge>& alive);
    void answerSubmitted(const BridgeEvent& event, QPointer<Bridge>& alive);
    void answerWritten(const BridgeEvent& event, QPointer<Bridge>& alive);
    void loadEnded(const BridgeEvent& event);
    void answerEnded(const BridgeEvent& event, QPointer<Bridge>& alive);
    void report(const Timings& timings, QPointer<Bridge>& alive);
    void cancelAnswer(const Timings& timings);
    void forgetAnswer();
    void startCount();
    void refreshStatus();
    void release(std::shared_ptr<void> last);
    void end();

    const std::shared_ptr<Backend> m_backend;
    std::shared_ptr<EventQueue> m_events;
    std::deque<BridgeEvent> m_batch; ///< taken from the queue, not yet told
    EngineOptions m_engineOptions;
    ContextFull m_contextFull = ContextFull::stop;
    Load m_load;
    std::shared_ptr<Session> m_session;
    std::shared_ptr<Answer> m_answer;
    Timings m_timings; ///< the latest of the running answer
    QString m_countText;
    std::shared_ptr<std::atomic<std::uint64_t>> m_count;
    std::uint64_t m_lastId = 0;
    bool m_ended = false;
    QTimer m_tick, m_countDelay;
    QElapsedTimer m_lastDrain, m_lastStatus;
    std::unique_ptr<Worker> m_loader;   ///< loads, creates engines, lets go of models
    std::unique_ptr<Worker> m_preparer; ///< renders, tokenizes, submits, counts
};

} // namespace sotto::ui
