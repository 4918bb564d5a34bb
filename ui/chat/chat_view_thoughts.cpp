// SPDX-License-Identifier: Apache-2.0
// Opening and closing thoughts, by mouse and keyboard. The line over one keeps its place.
#include "ui/chat/chat_accessible.h"
#include "ui/chat/chat_view.h"
#include "ui/chat/message_item.h"

#include <QtCore/QScopedValueRollback>
#include <QtWidgets/QScrollBar>

#include <utility>

namespace sotto::ui {

bool ChatView::isThoughtOpen(int index) const {
    return index >= 0 && index < itemCount() && m_items[index]->isThoughtOpen();
}

QRect ChatView::thoughtRect(int index) const {
    if (index < 0 || index >= itemCount())
        return {};
    const QRect rect = m_items[index]->thoughtRect();
    return rect.isNull() ? rect : rect.translated(messageRect(index).topLeft());
}

void ChatView::setThoughtOpen(int index, bool open) {
    if (index < 0 || index >= itemCount() || isThoughtOpen(index) == open)
        return;
    const bool had = hasSelection();
    flush();
    const int lineTop = thoughtRect(index).top();
    if (!open && m_selection.hasEndIn(index, Part::Thought))
        m_selection.clear();
    m_items[index]->setThoughtOpen(open);
    // A thought that goes on is followed; of one that is over the beginning is wanted.
    placeAfterFold(index, lineTop, m_followsEnd && m_conversation->at(index).isThinking());
    selectionMoved(had);
    notifyThoughtFolded(this, index);
    if (std::exchange(m_opensThoughts, open) != open)
        Q_EMIT opensThoughtsChanged(open);
}

void ChatView::placeAfterFold(int index, int lineTop, bool follow) {
    if (!follow) {
        const QScopedValueRollback guard(m_inLayout, true);
        setFollowsEnd(false);
        placeItems();
        updateScrollBar();
        verticalScrollBar()->setValue(viewTop() + thoughtRect(index).top() - lineTop);
    }
    layoutVisible();
    setFollowsEnd(follow || isAtEnd());
    setHover(m_mouse);
}

int ChatView::thoughtAt(const QPoint& point) const {
    if (m_items.empty() || m_selecting || !viewport()->rect().contains(point))
        return -1;
    const int index = itemAt(point.y() + viewTop());
    return thoughtRect(index).contains(point) ? index : -1;
}

bool ChatView::pressThought(const QPoint& point) {
    const int index = thoughtAt(point);
    if (index >= 0)
        setThoughtOpen(index, !isThoughtOpen(index));
    return index >= 0;
}

// ---- the keyboard ----------------------------------------------------------------------------

/// Of those in sight, so that a long chat has no hundred stops on the way to the composer.
int ChatView::nextThought(int from, bool forward) const {
    for (int i = from + (forward ? 1 : -1); i >= 0 && i < itemCount(); i += forward ? 1 : -1)
        if (thoughtRect(i).intersects(viewport()->rect()))
            return i;
    return -1;
}

bool ChatView::focusNextPrevChild(bool next) {
    const int thought = next || m_focusedThought >= 0 ? nextThought(m_focusedThought, next) : -1;
    if (hasFocus() && (thought >= 0 || (!next && m_focusedThought >= 0))) {
        m_showsFocus = true;
        focusThought(thought);
        return true;
    }
    return QAbstractScrollArea::focusNextPrevChild(next);
}

void ChatView::focusThought(int index) {
    m_focusedThought = index;
    viewport()->update();
    if (index >= 0)
        notifyThoughtFocused(this, index);
}

} // namespace sotto::ui
