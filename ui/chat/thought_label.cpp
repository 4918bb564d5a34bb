// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/thought_label.h"

#include "ui/chat/chat_view.h"
#include "ui/chat/conversation.h"

#include <QtCore/QLocale>

namespace sotto::ui {
namespace {

QString tokensText(qint64 tokens) {
    return tokens == 1 ? ChatView::tr("1 token")
                       : ChatView::tr("%1 tokens").arg(QLocale().toString(tokens));
}

/// "0.4 s", "4 s", "2 min 5 s"
QString timeText(double ms) {
    const QLocale locale;
    if (ms < 950)
        return ChatView::tr("%1 s").arg(locale.toString(qMax(0.1, ms / 1000), 'f', 1));
    const auto seconds = qRound64(ms / 1000);
    if (seconds < 60)
        return ChatView::tr("%1 s").arg(locale.toString(seconds));
    return ChatView::tr("%1 min %2 s")
        .arg(locale.toString(seconds / 60), locale.toString(seconds % 60));
}

} // namespace

QString thoughtLabel(const Message& message) {
    if (message.isThinking())
        return ChatView::tr("Thinking … %1").arg(tokensText(message.thinkingTokens));
    const QString head = message.thinkingMs > 0
                             ? ChatView::tr("Thought for %1").arg(timeText(message.thinkingMs))
                             : ChatView::tr("Thought");
    return message.thinkingTokens > 0
               ? ChatView::tr("%1 · %2").arg(head, tokensText(message.thinkingTokens))
               : head;
}

} // namespace sotto::ui
