// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/chat_controller.h"

#include "app/desktop/format.h"

#include <utility>

namespace sotto::app {
namespace {

using ui::Bridge;
using ui::Message;
using Role = ui::Message::Role;
using State = ui::Message::State;

constexpr int kTitleLength = 80;

QString authorOf(const ui::ModelDetails& details) {
    return QString::fromStdString(details.info.name);
}

} // namespace

ChatController::ChatController(Bridge* bridge, QObject* parent)
    : QObject(parent), m_bridge(bridge) {
    connect(bridge, &Bridge::promptProgress, this, &ChatController::onProgress);
    connect(bridge, &Bridge::textArrived, this, &ChatController::onText);
    connect(bridge, &Bridge::answerFinished, this, &ChatController::onFinished);
}

bool ChatController::canRegenerate() const {
    const int n = m_conversation.count();
    return !isBusy() && m_bridge->hasModel() && n >= 2 &&
           m_conversation.at(n - 1).role == Role::Assistant;
}

QString ChatController::lastAnswer() const {
    for (int i = m_conversation.count() - 1; i >= 0; --i) {
        if (m_conversation.at(i).role == Role::Assistant) {
            return m_conversation.at(i).text;
        }
    }
    return {};
}

QString ChatController::lastQuestion() const {
    for (int i = m_conversation.count() - 1; i >= 0; --i) {
        if (m_conversation.at(i).role == Role::User) {
            return m_conversation.at(i).text;
        }
    }
    return {};
}

QString ChatController::title() const {
    if (m_conversation.count() == 0) {
        return {};
    }
    QString text = m_conversation.at(0).text.left(4 * kTitleLength).simplified();
    if (text.size() <= kTitleLength) {
        return text;
    }
    const auto space = text.lastIndexOf(QLatin1Char(' '), kTitleLength);
    return text.left(space > kTitleLength / 2 ? space : kTitleLength) + QStringLiteral("…");
}

void ChatController::setSampling(const SamplingParams& params) {
    m_params = params;
    m_bridge->setSampling(samplingNow());
}

/// The same seed gives the same text, and who asks again wants another: each attempt at an answer
/// takes the next seed, so that the first, the second and so on can all be had again.
SamplingParams ChatController::samplingNow() const {
    SamplingParams params = m_params;
    params.seed += m_attempt;
    return params;
}

bool ChatController::send(const QString& text) {
    if (isBusy() || !m_bridge->hasModel() || text.trimmed().isEmpty()) {
        return false;
    }
    m_previous.clear();
    m_attempt = 0;
    Message question;
    question.text = text;
    m_conversation.append(question);
    ask();
    return true;
}

void ChatController::ask() {
    if (!m_bridge->send(history(), samplingNow())) {
        return;
    }
    Message answer;
    answer.role = Role::Assistant;
    answer.state = State::Reading;
    answer.author = authorOf(m_bridge->details());
    m_answer =
        m_conversation.append(std::move(answer)); // an older answer is told as finished before this
    Q_EMIT changed();
}

void ChatController::stop() {
    if (isBusy()) {
        m_bridge->stop();
    }
}

void ChatController::regenerate() {
    if (canRegenerate()) {
        ++m_attempt;
        m_conversation.removeFrom(m_conversation.count() - 1);
        ask();
    }
}

void ChatController::newChat() {
    if (m_conversation.count() == 0) {
        return;
    }
    const int running = std::exchange(m_answer, -1); // what still comes belongs to no one
    if (running >= 0) {
        m_conversation.setState(running, State::Stopped, tr("Stopped"));
        m_bridge->stop();
    }
    m_previous.clear();
    for (int i = 0; i < m_conversation.count(); ++i) {
        m_previous += m_conversation.at(i);
    }
    m_conversation.clear();
    Q_EMIT changed();
}

void ChatController::undoNewChat() {
    if (m_conversation.count() == 0) {
        for (const Message& message : std::exchange(m_previous, {})) {
            m_conversation.append(message);
        }
        Q_EMIT changed();
    }
}

/// A question that could not be answered at all would fail every later one too: it is not asked
/// again.
bool ChatController::isLeftOut(int index) const {
    const Message& message = m_conversation.at(index);
    if (message.role == Role::Assistant) {
        return message.text.isEmpty();
    }
    if (index + 1 >= m_conversation.count()) {
        return false;
    }
    const Message& next = m_conversation.at(index + 1);
    return next.role == Role::Assistant && next.state == State::Failed && next.text.isEmpty();
}

std::vector<ChatMessage> ChatController::history() const {
    std::vector<ChatMessage> messages;
    for (int i = 0; i < m_conversation.count(); ++i) {
        const Message& message = m_conversation.at(i);
        if (!isLeftOut(i)) {
            const char* role = message.role == Role::User        ? "user"
                               : message.role == Role::Assistant ? "assistant"
                                                                 : "system";
            messages.push_back({role, message.text.toStdString()});
        }
    }
    return messages;
}

void ChatController::onProgress(qint64 done, qint64 total) {
    if (isBusy()) {
        m_conversation.setProgress(m_answer, done, total);
    }
}

void ChatController::onText(const QString& text) {
    if (!isBusy()) {
        return;
    }
    if (m_conversation.at(m_answer).state == State::Reading) {
        m_conversation.setState(m_answer, State::Writing);
    }
    m_conversation.appendText(m_answer, text);
}

void ChatController::onFinished(FinishReason reason, const QString& message,
                                const Timings& timings) {
    const int index = std::exchange(m_answer, -1);
    if (index < 0) {
        return;
    }
    switch (reason) {
    case FinishReason::stop:
        m_conversation.setState(index, State::Complete);
        break;
    case FinishReason::length:
        m_conversation.setState(index, State::Complete, tr("The answer reached its length limit"));
        break;
    case FinishReason::context:
        m_conversation.setState(
            index, State::Complete,
            tr("The context is full: %1 of %2 tokens. Start a new chat to go on (Ctrl+N)")
                .arg(countText(timings.n_context), countText(m_bridge->details().nCtx)));
        break;
    case FinishReason::cancelled:
        m_conversation.setState(index, State::Stopped, tr("Stopped"));
        break;
    case FinishReason::error:
        onFailed(index, message);
        break;
    }
    Q_EMIT changed();
}

void ChatController::onFailed(int index, const QString& message) {
    const bool refused = m_conversation.at(index).text.isEmpty();
    m_conversation.setState(index, State::Failed,
                            message.isEmpty() ? tr("The answer could not be made") : message);
    if (refused) {
        Q_EMIT messageRefused(lastQuestion());
    }
}

} // namespace sotto::app
