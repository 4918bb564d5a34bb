// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/thought_accessible.h"

#include "ui/chat/chat_view.h"
#include "ui/chat/thought_label.h"

#include <QtCore/QPointer>
#include <QtGui/QAccessible>

namespace sotto::ui {
namespace {

class ThoughtAccessible final : public QAccessibleInterface, public QAccessibleActionInterface {
  public:
    ThoughtAccessible(ChatView* view, int index) : m_view(view), m_index(index) {}

    bool isValid() const override {
        return m_view && m_view->conversation() && m_index < m_view->conversation()->count() &&
               message().hasThought();
    }
    QObject* object() const override { return nullptr; }
    QWindow* window() const override { return m_view ? m_view->window()->windowHandle() : nullptr; }
    QAccessible::Role role() const override { return QAccessible::Button; }
    QAccessibleInterface* parent() const override {
        QAccessibleInterface* view = QAccessible::queryAccessibleInterface(m_view.data());
        return view ? view->child(m_index) : nullptr;
    }
    QAccessibleInterface* child(int) const override { return nullptr; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }

    QString text(QAccessible::Text kind) const override {
        if (!isValid())
            return {};
        if (kind == QAccessible::Value)
            return m_view->isThoughtOpen(m_index) ? message().thinking : QString();
        return kind == QAccessible::Name ? thoughtLabel(message()) : QString();
    }
    void setText(QAccessible::Text, const QString&) override {}

    QRect rect() const override {
        const QRect rect = isValid() ? m_view->thoughtRect(m_index) : QRect();
        return rect.isNull() ? rect
                             : QRect(m_view->viewport()->mapToGlobal(rect.topLeft()), rect.size());
    }

    QAccessible::State state() const override {
        QAccessible::State state;
        state.invalid = !isValid();
        state.focusable = true;
        state.expandable = true;
        if (isValid()) {
            state.expanded = m_view->isThoughtOpen(m_index);
            state.collapsed = !state.expanded;
            state.focused = m_view->focusedThought() == m_index;
            state.busy = message().isThinking();
        }
        return state;
    }

    void* interface_cast(QAccessible::InterfaceType type) override {
        return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface*>(this)
                                                    : nullptr;
    }
    QStringList actionNames() const override { return {pressAction(), setFocusAction()}; }
    void doAction(const QString& name) override {
        if (isValid() && name == pressAction()) {
            m_view->setThoughtOpen(m_index, !m_view->isThoughtOpen(m_index));
        } else if (isValid() && name == setFocusAction()) {
            m_view->setFocus();
            m_view->focusThought(m_index);
        }
    }
    QStringList keyBindingsForAction(const QString&) const override { return {}; }

  private:
    const Message& message() const { return m_view->conversation()->at(m_index); }
    QPointer<ChatView> m_view;
    int m_index;
};

} // namespace

QAccessibleInterface* makeThoughtAccessible(ChatView* view, int index) {
    return new ThoughtAccessible(view, index);
}

} // namespace sotto::ui
