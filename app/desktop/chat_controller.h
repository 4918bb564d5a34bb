// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/bridge/bridge.h"
#include "ui/chat/conversation.h"

#include <QtCore/QObject>
#include <QtCore/QVector>

namespace sotto::app {

/// One chat between Conversation and Bridge: what is asked, what becomes of the answer, what can be
/// done next.
class ChatController final : public QObject {
    Q_OBJECT
  public:
    explicit ChatController(ui::Bridge* bridge, QObject* parent = nullptr);

    [[nodiscard]] ui::Conversation* conversation() { return &m_conversation; }
    [[nodiscard]] bool isBusy() const { return m_answer >= 0; } ///< an answer is being made
    [[nodiscard]] bool canRegenerate() const;
    [[nodiscard]] bool canUndoNewChat() const { return !m_previous.isEmpty(); }
    /// The oldest messages that the model no longer sees.
    [[nodiscard]] int nDropped() const { return m_nDropped; }
    [[nodiscard]] QString lastAnswer() const; ///< its text; empty if there is none
    [[nodiscard]] QString lastQuestion() const;
    /// The first words of the first message; empty for a new chat.
    [[nodiscard]] QString title() const;

    /// For the next answer, and for the one being written.
    void setSampling(const SamplingParams& params);
    /// Whether the next answer is thought about first, by models that can do both.
    void setThinking(bool on) { m_thinking = on; }
    /// False without a model, for blank text, or while an answer is being made: nothing is changed
    /// then.
    bool send(const QString& text);
    void stop();
    /// Drops the last answer and asks again.
    void regenerate();
    /// The chat before it comes back with undoNewChat(), until the next message.
    void newChat();
    void undoNewChat();

  Q_SIGNALS:
    void changed(); ///< any of the above
    /// The message did not fit and is not part of what the model sees.
    void messageRefused(const QString& text);
    /// Something to know about how this chat is put to the model; each thing once a chat.
    void noticed(const QString& sentence);

  private:
    void ask();
    [[nodiscard]] SamplingParams samplingNow() const;
    [[nodiscard]] bool isLeftOut(int index) const;
    [[nodiscard]] std::vector<ChatMessage> history() const;
    [[nodiscard]] ChatOptions chatOptions() const;
    void onProgress(qint64 done, qint64 total);
    void beginWriting();
    void onNotice(const QString& sentence);
    void onDropped(int nMessages);
    void onThinking(const QString& text, qint64 nTokens, double ms);
    void onText(const QString& text);
    void onStopped(int index);
    void onFinished(FinishReason reason, const QString& message, const Timings& timings);
    void onFailed(int index, const QString& message);

    ui::Bridge* const m_bridge;
    ui::Conversation m_conversation;
    QVector<ui::Message> m_previous; ///< of the chat before New chat
    SamplingParams m_params;
    bool m_thinking = true;
    QString m_notice; ///< told in this chat
    int m_nDropped = 0;
    int m_nPreviousDropped = 0; ///< of the chat before New chat
    quint64 m_attempt = 0;      ///< at the last answer; 0 is the first
    int m_answer = -1;          ///< index of the answer being made
};

} // namespace sotto::app
