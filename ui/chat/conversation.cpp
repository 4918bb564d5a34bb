// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/conversation.h"

#include <utility>

namespace sotto::ui {

Conversation::Conversation(QObject* parent) : QObject(parent) {}

int Conversation::count() const {
    return static_cast<int>(m_messages.size());
}

const Message& Conversation::at(int index) const {
    return m_messages.at(index);
}

int Conversation::append(Message message) {
    m_messages.append(std::move(message));
    const int index = count() - 1;
    Q_EMIT appended(index);
    return index;
}

void Conversation::appendText(int index, const QString& text) {
    if (text.isEmpty())
        return;
    QString& all = m_messages[index].text;
    const int from = static_cast<int>(all.size());
    all += text;
    Q_EMIT textAppended(index, from);
}

void Conversation::appendThinking(int index, const QString& text, qint64 nTokens, double ms) {
    Message& message = m_messages[index];
    message.thinking += text;
    message.thinkingTokens += nTokens;
    message.thinkingMs += ms;
    Q_EMIT thinkingAppended(index);
}

void Conversation::setState(int index, Message::State state, const QString& note) {
    m_messages[index].state = state;
    m_messages[index].note = note;
    Q_EMIT changed(index);
}

void Conversation::setProgress(int index, qint64 done, qint64 total) {
    m_messages[index].promptDone = done;
    m_messages[index].promptTotal = total;
    Q_EMIT changed(index);
}

void Conversation::removeFrom(int index) {
    index = qMax(0, index);
    if (index >= count())
        return;
    m_messages.resize(index);
    Q_EMIT removed(index);
}

void Conversation::clear() {
    removeFrom(0);
}

} // namespace sotto::ui
