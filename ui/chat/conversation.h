// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtCore/QObject>
#include <QtCore/QString>
#include <QtCore/QVector>

namespace sotto::ui {

/// One message as the view shows it. Text is what was typed or generated, byte for byte, never
/// HTML.
struct Message {
    enum class Role { System, User, Assistant };
    enum class State {
        Complete,
        Reading, ///< the prompt is being computed: progress in promptDone of promptTotal
        Writing, ///< text is streaming in
        Stopped, ///< the person ended it
        Failed,  ///< `note` says what happened and what to do
    };
    Role role = Role::User;
    State state = State::Complete;
    QString text;
    /// What the model thought before it answered; never part of `text`.
    QString thinking;
    qint64 thinkingTokens = 0; ///< 0: not known
    double thinkingMs = 0;     ///< how long it took; 0: not known
    QString author;            ///< the model's name, for answers
    QString note; ///< shown small under the message: "Stopped", "The context is full ..."
    qint64 promptDone = 0;
    qint64 promptTotal = 0;

    [[nodiscard]] bool hasThought() const { return !thinking.isEmpty(); }
    /// It thinks and has not begun to answer.
    [[nodiscard]] bool isThinking() const {
        return hasThought() && text.isEmpty() && state == State::Writing;
    }
};

/// The messages of one chat, in order; the view follows its signals. Lives on the window's thread.
class Conversation final : public QObject {
    Q_OBJECT
  public:
    explicit Conversation(QObject* parent = nullptr);

    [[nodiscard]] int count() const;
    [[nodiscard]] const Message& at(int index) const;
    int append(Message message); ///< returns its index
    void appendText(int index, const QString& text);
    /// `nTokens` and `ms` are what this piece took.
    void appendThinking(int index, const QString& text, qint64 nTokens, double ms);
    void setState(int index, Message::State state, const QString& note = {});
    void setProgress(int index, qint64 done, qint64 total);
    void removeFrom(int index); ///< drops the messages index..count()
    void clear();

  Q_SIGNALS:
    void appended(int index);
    void textAppended(int index, int from); ///< characters from `from` on are new
    void thinkingAppended(int index);       ///< text, tokens or time of it
    void changed(int index);                ///< state, note or progress
    void removed(int from);

  private:
    QVector<Message> m_messages;
};

} // namespace sotto::ui
