// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/chat_view.h"

#include "ui/chat/message_item.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

#include <QtGui/QClipboard>
#include <QtGui/QContextMenuEvent>
#include <QtGui/QGuiApplication>
#include <QtGui/QHelpEvent>
#include <QtGui/QPainter>
#include <QtGui/QStyleHints>
#include <QtWidgets/QApplication>
#include <QtWidgets/QMenu>
#include <QtWidgets/QScrollBar>
#include <QtWidgets/QToolTip>

namespace sotto::ui {
namespace {

constexpr int kAutoScrollMs = 30;
constexpr int kCopiedMs = 1500;

} // namespace

TextPos ChatView::hitSpan(const QPoint& point, TextPos& end) {
    if (m_items.empty())
        return end = {};
    const int index = itemAt(point.y() + viewTop());
    const TextRange span = m_items[index]->hit(toItem(index, point));
    end = {index, span.end};
    return {index, span.begin};
}

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
        if (m_clicks > 1) {
            MessageItem& item = *m_items[begin.message];
            const TextRange span =
                m_clicks == 2 ? item.wordAt(begin.offset) : item.paragraphAt(begin.offset);
            begin.offset = span.begin;
            end.offset = span.end;
        }
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
    if (m_clicks > 1) {
        MessageItem& item = *m_items[begin.message];
        const TextRange span =
            m_clicks == 2 ? item.wordAt(begin.offset) : item.paragraphAt(begin.offset);
        begin.offset = span.begin;
        end.offset = span.end;
    }
    m_selection.extend(begin, end);
    selectionMoved(had);
}

void ChatView::mousePressEvent(QMouseEvent* event) {
    m_showsFocus = false;
    const QPoint point = event->position().toPoint();
    if (event->button() != Qt::LeftButton || pressTool(point) || pressCopyCode(point))
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
    if (event->button() != Qt::LeftButton || pressTool(point) || pressCopyCode(point))
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

void ChatView::showMenu(int index, const QPoint& globalPoint) {
    delete m_menu;
    m_menu = new QMenu(this);
    m_menu->setAttribute(Qt::WA_DeleteOnClose);
    QAction* copySelected = m_menu->addAction(tr("&Copy"), this, &ChatView::copy);
    copySelected->setEnabled(hasSelection());
    m_menu->addAction(tr("Copy &message"), this, [this, index] { copyMessage(index); });
    m_menu->addAction(tr("Select &all"), this, &ChatView::selectAll);
    m_menu->addSeparator();
    QAction* again = m_menu->addAction(tr("&Regenerate"), this,
                                       [this, index] { useTool(ToolKind::Regenerate, index); });
    again->setEnabled(regenerable() == index);
    m_menu->popup(globalPoint);
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
    viewport()->update();
}

void ChatView::focusOutEvent(QFocusEvent*) {
    viewport()->update();
}

void ChatView::setHover(const QPoint& point) {
    int hovered = -1, code = -1;
    if (!m_items.empty() && viewport()->rect().contains(point)) {
        hovered = itemAt(point.y() + viewTop());
        code = m_items[hovered]->copyButtonAt(toItem(hovered, point));
    }
    const auto tools = toolsOf(hovered);
    const bool active = code >= 0 || toolAt(tools, point);
    viewport()->setCursor(active ? Qt::PointingHandCursor
                                 : (hovered >= 0 ? Qt::IBeamCursor : Qt::ArrowCursor));
    m_hovered = hovered;
    m_hoveredCode = code;
    viewport()->update();
}

/// Beside a bubble, or at the right of the author line of an answer.
std::vector<ChatView::Tool> ChatView::toolsOf(int index) const {
    if (index < 0 || index >= itemCount() || m_selecting)
        return {};
    const MessageItem& item = *m_items[index];
    const QPoint origin = messageRect(index).topLeft();
    const int size = m_metrics->toolSize;
    const QRect head = item.authorRect();
    const QRect bubble = item.bubble();
    QPoint at = bubble.isEmpty()
                    ? QPoint(head.right() + 1 - size, head.center().y() - size / 2)
                    : QPoint(bubble.left() - size - m_metrics->blockGap, m_metrics->blockGap);
    std::vector<Tool> tools{
        {ToolKind::Copy, QRect(origin + at, QSize(size, size)), tr("Copy message")}};
    if (regenerable() == index) {
        at.rx() -= size;
        tools.push_back(
            {ToolKind::Regenerate, QRect(origin + at, QSize(size, size)), tr("Regenerate")});
    }
    return tools;
}

const ChatView::Tool* ChatView::toolAt(const std::vector<Tool>& tools, const QPoint& point) const {
    for (const Tool& tool : tools)
        if (tool.rect.contains(point))
            return &tool;
    return nullptr;
}

bool ChatView::pressTool(const QPoint& point) {
    const int index = m_items.empty() ? -1 : itemAt(point.y() + viewTop());
    const auto tools = toolsOf(index);
    const Tool* tool = toolAt(tools, point);
    if (tool)
        useTool(tool->kind, index);
    return tool != nullptr;
}

void ChatView::useTool(ToolKind kind, int index) {
    if (kind == ToolKind::Copy)
        copyMessage(index);
    else if (regenerable() == index)
        Q_EMIT regenerateRequested(index);
}

bool ChatView::pressCopyCode(const QPoint& point) {
    const int index = m_items.empty() ? -1 : itemAt(point.y() + viewTop());
    const int block = index < 0 ? -1 : m_items[index]->copyButtonAt(toItem(index, point));
    if (block < 0)
        return false;
    QGuiApplication::clipboard()->setText(m_items[index]->codeOf(block));
    m_copiedItem = index;
    m_copiedBlock = block;
    m_copiedTimer.start(kCopiedMs, this);
    viewport()->update();
    return true;
}

void ChatView::paintTools(QPainter& painter) const {
    const Theme& theme = Theme::instance();
    for (const Tool& tool : toolsOf(m_hovered)) {
        const bool under = tool.rect.contains(m_mouse);
        if (under) {
            painter.save();
            painter.setRenderHint(QPainter::Antialiasing);
            painter.setPen(Qt::NoPen);
            painter.setBrush(theme.color(Role::Hover));
            painter.drawRoundedRect(tool.rect, theme.px(6), theme.px(6));
            painter.restore();
        }
        const Icon name = tool.kind == ToolKind::Copy ? Icon::Copy : Icon::Regenerate;
        const int size = theme.px(16);
        const QPoint at = tool.rect.center() - QPoint(size / 2 - 1, size / 2 - 1);
        painter.drawPixmap(at, iconPixmap(name, size, devicePixelRatioF(),
                                          theme.color(under ? Role::Ink : Role::Muted)));
    }
}

} // namespace sotto::ui
