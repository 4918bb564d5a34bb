// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/chat_accessible.h"

#include "ui/chat/chat_view.h"
#include "ui/chat/thought_accessible.h"

#include <QtCore/QPointer>
#include <QtWidgets/QAccessibleWidget>

#include <vector>

namespace sotto::ui {
namespace {

/// One message. The view may be gone, or have fewer messages, before a reader lets go of it.
class MessageAccessible final : public QAccessibleInterface {
  public:
    MessageAccessible(ChatView* view, int index) : m_view(view), m_index(index) {}
    ~MessageAccessible() override {
        if (m_thought != 0)
            QAccessible::deleteAccessibleInterface(m_thought);
    }

    bool isValid() const override {
        return m_view && m_view->conversation() && m_index < m_view->conversation()->count();
    }
    QObject* object() const override { return nullptr; }
    QWindow* window() const override { return m_view ? m_view->window()->windowHandle() : nullptr; }
    QAccessible::Role role() const override { return QAccessible::ListItem; }
    QAccessibleInterface* parent() const override {
        return QAccessible::queryAccessibleInterface(m_view.data());
    }
    /// The thought, if there is one.
    QAccessibleInterface* child(int index) const override {
        if (index != 0 || childCount() == 0)
            return nullptr;
        if (m_thought == 0)
            m_thought =
                QAccessible::registerAccessibleInterface(makeThoughtAccessible(m_view, m_index));
        return QAccessible::accessibleInterface(m_thought);
    }
    QAccessibleInterface* childAt(int x, int y) const override {
        QAccessibleInterface* thought = child(0);
        return thought && thought->rect().contains(x, y) ? thought : nullptr;
    }
    int childCount() const override {
        return isValid() && m_view->conversation()->at(m_index).hasThought() ? 1 : 0;
    }
    int indexOfChild(const QAccessibleInterface* wanted) const override {
        return wanted && wanted == child(0) ? 0 : -1;
    }

    QString text(QAccessible::Text kind) const override {
        if (!isValid())
            return {};
        const Message& message = m_view->conversation()->at(m_index);
        if (kind == QAccessible::Value)
            return message.text;
        if (kind == QAccessible::Description)
            return message.note;
        if (kind != QAccessible::Name)
            return {};
        if (message.role == Message::Role::User)
            return ChatView::tr("You");
        return message.author.isEmpty() ? ChatView::tr("Answer") : message.author;
    }
    void setText(QAccessible::Text, const QString&) override {}

    QRect rect() const override {
        if (!isValid() || m_index >= m_view->itemCount())
            return {};
        const QRect rect = m_view->messageRect(m_index);
        return {m_view->viewport()->mapToGlobal(rect.topLeft()), rect.size()};
    }

    QAccessible::State state() const override {
        QAccessible::State state;
        state.invalid = !isValid();
        state.readOnly = true;
        state.multiLine = true;
        state.focusable = false;
        if (isValid()) {
            const auto now = m_view->conversation()->at(m_index).state;
            state.busy = now == Message::State::Reading || now == Message::State::Writing;
            state.offscreen = !rect().intersects(
                QRect(m_view->viewport()->mapToGlobal(QPoint()), m_view->viewport()->size()));
        }
        return state;
    }

  private:
    QPointer<ChatView> m_view;
    int m_index;
    mutable QAccessible::Id m_thought = 0;
};

class ChatAccessible final : public QAccessibleWidget {
  public:
    explicit ChatAccessible(ChatView* view)
        : QAccessibleWidget(view, QAccessible::List), m_view(view) {}
    ~ChatAccessible() override {
        for (const QAccessible::Id id : m_ids)
            QAccessible::deleteAccessibleInterface(id);
    }

    int childCount() const override { return messages() + QAccessibleWidget::childCount(); }

    /// The messages, then the widgets in the view (page of the empty state, buttons, scroll bar).
    QAccessibleInterface* child(int index) const override {
        if (index >= messages())
            return QAccessibleWidget::child(index - messages());
        if (index < 0)
            return nullptr;
        while (int(m_ids.size()) <= index)
            m_ids.push_back(QAccessible::registerAccessibleInterface(
                new MessageAccessible(m_view, int(m_ids.size()))));
        return QAccessible::accessibleInterface(m_ids[index]);
    }

    int indexOfChild(const QAccessibleInterface* wanted) const override {
        for (int i = 0; i < int(m_ids.size()) && i < messages(); ++i)
            if (QAccessible::accessibleInterface(m_ids[i]) == wanted)
                return i;
        const int widget = QAccessibleWidget::indexOfChild(wanted);
        return widget < 0 ? -1 : widget + messages();
    }

    QAccessibleInterface* childAt(int x, int y) const override {
        for (int i = 0; i < qMin(messages(), m_view->itemCount()); ++i)
            if (child(i)->rect().contains(x, y))
                return child(i);
        return QAccessibleWidget::childAt(x, y);
    }

  private:
    [[nodiscard]] int messages() const {
        return m_view && m_view->conversation() ? m_view->conversation()->count() : 0;
    }
    QPointer<ChatView> m_view;
    mutable std::vector<QAccessible::Id> m_ids;
};

QAccessibleInterface* create(const QString&, QObject* object) {
    auto* view = qobject_cast<ChatView*>(object);
    return view ? new ChatAccessible(view) : nullptr;
}

} // namespace

void installChatAccessible() {
    static const bool installed = (QAccessible::installFactory(&create), true);
    (void)installed;
}

void notifyMessageAdded(ChatView* view, int index) {
    if (!QAccessible::isActive())
        return;
    QAccessibleEvent event(view, QAccessible::ObjectCreated);
    event.setChild(index);
    QAccessible::updateAccessibility(&event);
}

void notifyMessagesRemoved(ChatView* view, int from) {
    if (!QAccessible::isActive())
        return;
    QAccessibleEvent event(view, QAccessible::ObjectReorder);
    event.setChild(from);
    QAccessible::updateAccessibility(&event);
}

namespace {

QAccessibleInterface* thoughtOf(ChatView* view, int index) {
    if (!QAccessible::isActive())
        return nullptr;
    QAccessibleInterface* list = QAccessible::queryAccessibleInterface(view);
    QAccessibleInterface* message = list ? list->child(index) : nullptr;
    return message ? message->child(0) : nullptr;
}

} // namespace

void notifyThoughtFolded(ChatView* view, int index) {
    if (QAccessibleInterface* thought = thoughtOf(view, index)) {
        QAccessible::State changed;
        changed.expanded = changed.collapsed = true;
        QAccessibleStateChangeEvent event(thought, changed);
        QAccessible::updateAccessibility(&event);
    }
}

void notifyThoughtFocused(ChatView* view, int index) {
    if (QAccessibleInterface* thought = thoughtOf(view, index)) {
        QAccessibleEvent event(thought, QAccessible::Focus);
        QAccessible::updateAccessibility(&event);
    }
}

} // namespace sotto::ui
