// SPDX-License-Identifier: Apache-2.0
// What can be done with a message: the menu, the tools that show under the pointer, Copy at code.
#include "ui/chat/chat_view.h"

#include "ui/chat/message_item.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>
#include <QtGui/QPainter>
#include <QtWidgets/QMenu>

namespace sotto::ui {
namespace {

constexpr int kCopiedMs = 1500; ///< "Copied" stands that long in a code block's header

} // namespace

void ChatView::showMenu(int index, const QPoint& globalPoint) {
    delete m_menu;
    m_menu = new QMenu(this);
    m_menu->setAttribute(Qt::WA_DeleteOnClose);
    QAction* copySelected = m_menu->addAction(tr("&Copy"), this, &ChatView::copy);
    copySelected->setEnabled(hasSelection());
    m_menu->addAction(tr("Copy &message"), this, [this, index] { copyMessage(index); });
    if (m_conversation->at(index).hasThought())
        m_menu->addAction(tr("Copy &thought"), this, [this, index] { copyThought(index); });
    m_menu->addAction(tr("Select &all"), this, &ChatView::selectAll);
    m_menu->addSeparator();
    QAction* again = m_menu->addAction(tr("&Regenerate"), this,
                                       [this, index] { useTool(ToolKind::Regenerate, index); });
    again->setEnabled(regenerable() == index);
    m_menu->popup(globalPoint);
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
    const BlockRef block =
        index < 0 ? BlockRef{} : m_items[index]->copyButtonAt(toItem(index, point));
    if (block.isNull())
        return false;
    QGuiApplication::clipboard()->setText(m_items[index]->codeOf(block));
    m_copiedItem = index;
    m_copiedCode = block;
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
