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

const char* roleName(Role role) {
    return role == Role::User ? "user" : role == Role::Assistant ? "assistant" : "system";
}

QString authorOf(const ui::ModelDetails& details) {
    return QString::fromStdString(details.info.name);
}

} // namespace

ChatController::ChatController(Bridge* bridge, QObject* parent)
    : QObject(parent), m_bridge(bridge) {
    connect(bridge, &Bridge::promptProgress, this, &ChatController::onProgress);
    connect(bridge, &Bridge::chatNotice, this, &ChatController::onNotice);
    connect(bridge, &Bridge::turnsDropped, this, &ChatController::onDropped);
    connect(bridge, &Bridge::thinkingArrived, this, &ChatController::onThinking);
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
    if (!m_bridge->send(history(), samplingNow(), chatOptions(), m_nDropped)) {
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
    m_notice.clear();
    m_nPreviousDropped = std::exchange(m_nDropped, 0);
    Q_EMIT changed();
}

void ChatController::undoNewChat() {
    if (m_conversation.count() == 0) {
        for (const Message& message : std::exchange(m_previous, {})) {
            m_conversation.append(message);
        }
        m_nDropped = m_nPreviousDropped;
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
    return next.role == Role::Assistant && next.state == State::Failed && next.text.isEmpty() &&
           !next.hasThought();
}

/// Questions whose answers were stopped before they began are asked as one: many templates want
/// question and answer to take turns.
std::vector<ChatMessage> ChatController::history() const {
    std::vector<ChatMessage> messages;
    for (int i = 0; i < m_conversation.count(); ++i) {
        const Message& message = m_conversation.at(i);
        if (isLeftOut(i)) {
            continue;
        }
        ChatMessage told;
        told.role = roleName(message.role);
        told.content = message.text.toStdString();
        told.reasoning = message.thinking.toStdString();
        if (!messages.empty() && message.role == Role::User && messages.back().role == told.role) {
            messages.back().content += "\n\n" + told.content;
        } else {
            messages.push_back(std::move(told));
        }
    }
    return messages;
}

ChatOptions ChatController::chatOptions() const {
    ChatOptions options;
    if (m_bridge->details().info.can_switch_thinking) {
        options.enable_thinking = m_thinking;
    }
    return options;
}

void ChatController::onNotice(const QString& sentence) {
    if (isBusy() && std::exchange(m_notice, sentence) != sentence) {
        Q_EMIT noticed(sentence);
    }
}

void ChatController::onDropped(int nMessages) {
    if (isBusy() && std::exchange(m_nDropped, nMessages) != nMessages) {
        Q_EMIT noticed(tr("The %L1 oldest messages no longer fit into the context and are left out")
                           .arg(nMessages));
    }
}

void ChatController::onProgress(qint64 done, qint64 total) {
    if (isBusy()) {
        m_conversation.setProgress(m_answer, done, total);
    }
}

void ChatController::beginWriting() {
    if (m_conversation.at(m_answer).state == State::Reading) {
        m_conversation.setState(m_answer, State::Writing);
    }
}

void ChatController::onThinking(const QString& text, qint64 nTokens, double ms) {
    if (isBusy()) {
        beginWriting();
        m_conversation.appendThinking(m_answer, text, nTokens, ms);
    }
}

void ChatController::onText(const QString& text) {
    if (isBusy()) {
        beginWriting();
        m_conversation.appendText(m_answer, text);
    }
}

void ChatController::onFinished(FinishReason reason, const QString& message,
                                const Timings& timings) {
    const int index = std::exchange(m_answer, -1);
    if (index < 0) {
        return;
    }
    switch (reason) {
    case FinishReason::stop:
        onStopped(index);
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

void ChatController::onStopped(int index) {
    const Message& answer = m_conversation.at(index);
    const bool thoughtOnly = answer.hasThought() && answer.text.isEmpty();
    m_conversation.setState(index, State::Complete,
                            thoughtOnly ? tr("The model ended without an answer") : QString());
}

void ChatController::onFailed(int index, const QString& message) {
    const Message& answer = m_conversation.at(index);
    const bool refused = answer.text.isEmpty() && !answer.hasThought();
    m_conversation.setState(index, State::Failed,
                            message.isEmpty() ? tr("The answer could not be made") : message);
    if (refused) {
        Q_EMIT messageRefused(lastQuestion());
    }
}

} // namespace sotto::app
