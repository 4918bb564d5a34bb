// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/thought_label.h"

#include "ui/chat/conversation.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QLocale>

namespace sotto::ui {
namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("sotto::ui::ChatView", text);
}

QString tokensText(qint64 tokens) {
    return tokens == 1 ? tr("1 token") : tr("%1 tokens").arg(QLocale().toString(tokens));
}

/// "0.4 s", "4 s", "2 min 5 s"
QString timeText(double ms) {
    const QLocale locale;
    if (ms < 950)
        return tr("%1 s").arg(locale.toString(qMax(0.1, ms / 1000), 'f', 1));
    const auto seconds = qRound64(ms / 1000);
    if (seconds < 60)
        return tr("%1 s").arg(locale.toString(seconds));
    return tr("%1 min %2 s").arg(locale.toString(seconds / 60), locale.toString(seconds % 60));
}

} // namespace

QString thoughtLabel(const Message& message) {
    if (message.isThinking())
        return tr("Thinking … %1").arg(tokensText(message.thinkingTokens));
    const QString head = message.thinkingMs > 0
                             ? tr("Thought for %1").arg(timeText(message.thinkingMs))
                             : tr("Thought");
    return message.thinkingTokens > 0 ? tr("%1 · %2").arg(head, tokensText(message.thinkingTokens))
                                      : head;
}

} // namespace sotto::ui
