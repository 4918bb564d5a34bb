// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/chat_view.h"

#include "ui/chat/message_item.h"

#include <QtGui/QClipboard>
#include <QtGui/QContextMenuEvent>
#include <QtGui/QGuiApplication>
#include <QtGui/QHelpEvent>
#include <QtGui/QStyleHints>
#include <QtWidgets/QApplication>
#include <QtWidgets/QScrollBar>
#include <QtWidgets/QToolTip>

namespace sotto::ui {
namespace {

constexpr int kAutoScrollMs = 30;

} // namespace

TextPos ChatView::hitSpan(const QPoint& point, TextPos& end) {
    if (m_items.empty())
        return end = {};
    const int index = itemAt(point.y() + viewTop());
    const MessageItem::Hit hit = m_items[index]->hit(toItem(index, point));
    end = {index, hit.range.end, hit.part};
    return {index, hit.range.begin, hit.part};
}

namespace {

/// To the word (two clicks) or the paragraph (three) around `begin`.
void widen(MessageItem& item, int clicks, TextPos& begin, TextPos& end) {
    const TextRange span = clicks == 2 ? item.wordAt(begin.part, begin.offset)
                                       : item.paragraphAt(begin.part, begin.offset);
    begin.offset = span.begin;
    end.offset = span.end;
}

} // namespace

void ChatView::beginSelection(const QPoint& point, bool extend) {
    const bool had = hasSelection();
    TextPos end;
    TextPos begin = hitSpan(point, end);
    if (begin.message < 0)
        return;
    m_selecting = true;
    if (extend && m_selection.anchor().message >= 0) {
        m_selection.extend(begin, end);
    } else {
        if (m_clicks > 1)
            widen(*m_items[begin.message], m_clicks, begin, end);
        m_selection.setAnchor(begin, end);
    }
    selectionMoved(had);
}

void ChatView::extendTo(const QPoint& point) {
    const bool had = hasSelection();
    TextPos end;
    TextPos begin = hitSpan(point, end);
    if (begin.message < 0)
        return;
    if (m_clicks > 1)
        widen(*m_items[begin.message], m_clicks, begin, end);
    m_selection.extend(begin, end);
    selectionMoved(had);
}

void ChatView::mousePressEvent(QMouseEvent* event) {
    m_showsFocus = false;
    m_focusedThought = -1;
    const QPoint point = event->position().toPoint();
    if (event->button() != Qt::LeftButton || pressTool(point) || pressThought(point) ||
        pressCopyCode(point))
        return;
    const bool triple = m_tripleTimer.isActive() &&
                        (point - m_mouse).manhattanLength() < QApplication::startDragDistance();
    m_tripleTimer.stop();
    m_clicks = triple ? 3 : 1;
    m_mouse = point;
    beginSelection(point, event->modifiers() & Qt::ShiftModifier);
}

void ChatView::mouseDoubleClickEvent(QMouseEvent* event) {
    const QPoint point = event->position().toPoint();
    if (event->button() != Qt::LeftButton || pressTool(point) || pressThought(point) ||
        pressCopyCode(point))
        return;
    m_clicks = 2;
    m_mouse = point;
    m_tripleTimer.start(QGuiApplication::styleHints()->mouseDoubleClickInterval(), this);
    beginSelection(point, false);
}

void ChatView::mouseMoveEvent(QMouseEvent* event) {
    m_mouse = event->position().toPoint();
    setHover(m_mouse);
    if (!m_selecting || !(event->buttons() & Qt::LeftButton))
        return;
    extendTo(m_mouse);
    const bool outside = m_mouse.y() < 0 || m_mouse.y() >= viewport()->height();
    if (!outside)
        m_autoScrollTimer.stop();
    else if (!m_autoScrollTimer.isActive())
        m_autoScrollTimer.start(kAutoScrollMs, this);
}

void ChatView::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton)
        return;
    m_selecting = false;
    m_autoScrollTimer.stop();
    QClipboard* clipboard = QGuiApplication::clipboard();
    if (hasSelection() && clipboard->supportsSelection())
        clipboard->setText(selectedText(), QClipboard::Selection);
}

void ChatView::keyPressEvent(QKeyEvent* event) {
    QScrollBar* bar = verticalScrollBar();
    if (event == QKeySequence::Copy)
        copy();
    else if (event == QKeySequence::SelectAll)
        selectAll();
    else if (focusedThought() >= 0 &&
             QList<int>{Qt::Key_Return, Qt::Key_Enter, Qt::Key_Space}.contains(event->key()))
        setThoughtOpen(m_focusedThought, !isThoughtOpen(m_focusedThought));
    else if (event->key() == Qt::Key_Home)
        bar->triggerAction(QAbstractSlider::SliderToMinimum);
    else if (event->key() == Qt::Key_End)
        scrollToEnd();
    else
        QAbstractScrollArea::keyPressEvent(event);
}

void ChatView::contextMenuEvent(QContextMenuEvent* event) {
    if (m_items.empty())
        return;
    if (event->reason() != QContextMenuEvent::Keyboard) {
        showMenu(itemAt(event->pos().y() + viewTop()), event->globalPos());
        return;
    }
    // From the keyboard: the last message in sight.
    const int index = itemAt(viewTop() + viewport()->height() - 1);
    const QRect seen = messageRect(index).intersected(viewport()->rect());
    showMenu(index, viewport()->mapToGlobal(seen.isEmpty() ? QPoint() : seen.center()));
}

bool ChatView::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::Leave) {
        setHover({-1, -1});
    } else if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const auto tools = toolsOf(m_hovered);
        const Tool* tool = toolAt(tools, help->pos());
        if (tool)
            QToolTip::showText(help->globalPos(), tool->name, viewport(), tool->rect);
        else
            QToolTip::hideText();
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

bool ChatView::event(QEvent* event) {
    // The window has a Copy and a Select all of its own; with the focus here they are ours.
    if (event->type() == QEvent::ShortcutOverride) {
        auto* key = static_cast<QKeyEvent*>(event);
        if (key == QKeySequence::Copy || key == QKeySequence::SelectAll) {
            event->accept();
            return true;
        }
    }
    return QAbstractScrollArea::event(event);
}

void ChatView::focusInEvent(QFocusEvent* event) {
    m_showsFocus =
        event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason;
    if (event->reason() == Qt::TabFocusReason)
        m_focusedThought = -1;
    else if (event->reason() == Qt::BacktabFocusReason)
        focusThought(nextThought(itemCount(), false));
    viewport()->update();
}

void ChatView::focusOutEvent(QFocusEvent*) {
    viewport()->update();
}

void ChatView::setHover(const QPoint& point) {
    int hovered = -1;
    BlockRef code;
    if (!m_items.empty() && viewport()->rect().contains(point)) {
        hovered = itemAt(point.y() + viewTop());
        code = m_items[hovered]->copyButtonAt(toItem(hovered, point));
    }
    const auto tools = toolsOf(hovered);
    m_hoveredThought = thoughtAt(point);
    const bool active = !code.isNull() || m_hoveredThought >= 0 || toolAt(tools, point);
    viewport()->setCursor(active ? Qt::PointingHandCursor
                                 : (hovered >= 0 ? Qt::IBeamCursor : Qt::ArrowCursor));
    m_hovered = hovered;
    m_hoveredCode = code;
    viewport()->update();
}

} // namespace sotto::ui
