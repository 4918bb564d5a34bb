// SPDX-License-Identifier: Apache-2.0
// What the tests of the chat view share: a shown view over a conversation.
#pragma once

#include "tests/support/sanitized.h"
#include "ui/chat/chat_view.h"
#include "ui/chat/message_item.h"
#include "ui/theme/theme.h"

#include <QtTest/QTest>
#include <QtWidgets/QScrollBar>

#include <utility>

constexpr int kSlowdown = sotto::test::kSanitized ? 20 : 1; ///< for limits of time

struct ChatFixture {
    sotto::ui::Conversation conversation;
    sotto::ui::ChatView view;

    explicit ChatFixture(QSize size = {700, 500}) {
        view.resize(size);
        view.setConversation(&conversation);
        view.show();
    }

    int say(sotto::ui::Message::Role role, QString text,
            sotto::ui::Message::State state = sotto::ui::Message::State::Complete) {
        sotto::ui::Message message;
        message.role = role;
        message.state = state;
        message.text = std::move(text);
        message.author = QStringLiteral("model");
        const int index = conversation.append(message);
        view.flush();
        return index;
    }
    int ask(const QString& text) { return say(sotto::ui::Message::Role::User, text); }
    int answer(const QString& text) { return say(sotto::ui::Message::Role::Assistant, text); }

    /// Enough turns to scroll through.
    void fill(int turns) {
        for (int i = 0; i < turns; ++i) {
            ask(QStringLiteral("Question %1").arg(i));
            answer(QStringLiteral(
                       "Answer %1 goes on for a while, so that its lines are broken at some "
                       "place in the middle of a sentence, and again.\n\nThe end.")
                       .arg(i)
                       .repeated(2));
        }
    }

    /// Everything laid out that is left for idle time.
    void settle() {
        view.flush();
        for (int i = 0; i < 2000; ++i) {
            bool exact = true;
            for (int m = 0; m < view.itemCount(); ++m)
                exact = exact && view.item(m).isExact();
            if (exact)
                break;
            QCoreApplication::processEvents();
        }
        QCoreApplication::processEvents();
    }

    QScrollBar* bar() { return view.verticalScrollBar(); }
    /// A point inside the character at `offset`.
    QPoint pointOf(int message, int offset) {
        const QRect rect = view.positionRect({message, offset});
        return {rect.left() + 1, rect.center().y()};
    }
};
