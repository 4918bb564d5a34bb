// SPDX-License-Identifier: Apache-2.0
// Where messages stand. Heights far from the window are estimates until the idle time that follows
// makes them exact; what the reader sees keeps its place whatever becomes of the heights above it.
#include "ui/chat/chat_view.h"

#include "ui/chat/message_item.h"
#include "ui/chat/to_end_button.h"
#include "ui/theme/theme.h"

#include <QtCore/QScopedValueRollback>
#include <QtGui/QResizeEvent>
#include <QtWidgets/QScrollBar>

#include <algorithm>

namespace sotto::ui {
namespace {

constexpr int kTopPad = 20;
constexpr int kBottomPad = 24;
constexpr int kAtEnd = 4;       ///< px from the end that still count as the end
constexpr int kMargin = 200;    ///< laid out above and below the window, px
constexpr int kMaxPasses = 8;   ///< estimates that keep bringing new blocks into the window
constexpr int kIdleSliceMs = 4; ///< of idle layout between two looks at the event queue

} // namespace

Column ChatView::column() const {
    Column inner = columnIn(width());
    inner.left -= viewport()->x();
    return inner;
}

int ChatView::viewTop() const {
    return verticalScrollBar()->value();
}

int ChatView::itemAt(int contentY) const {
    const auto it = std::upper_bound(m_tops.begin(), m_tops.end(), contentY);
    return qMax(0, int(it - m_tops.begin()) - 1);
}

QPoint ChatView::toItem(int index, const QPoint& viewportPoint) const {
    return viewportPoint - QPoint(column().left, m_tops[index] - viewTop());
}

QRect ChatView::messageRect(int index) const {
    return {column().left, m_tops[index] - viewTop(), column().width, m_items[index]->height()};
}

void ChatView::placeItems() {
    int y = Theme::instance().px(kTopPad);
    m_tops.resize(m_items.size());
    for (size_t i = 0; i < m_items.size(); ++i) {
        m_tops[i] = y;
        y += m_items[i]->height() + m_metrics->messageGap;
    }
    m_contentHeight =
        m_items.empty() ? 0 : y - m_metrics->messageGap + Theme::instance().px(kBottomPad);
}

void ChatView::updateScrollBar() {
    QScrollBar* bar = verticalScrollBar();
    const int page = viewport()->height();
    bar->setPageStep(page);
    bar->setSingleStep(m_metrics->lineHeight);
    bar->setRange(0, qMax(0, m_contentHeight - page));
    if (m_followsEnd)
        bar->setValue(bar->maximum());
}

/// The first block in sight whose height is known: its neighbours may change theirs, it stays.
ChatView::Anchor ChatView::findAnchor() const {
    const int top = viewTop();
    const int bottom = top + viewport()->height();
    Anchor fallback;
    for (int i = itemAt(top); i < itemCount() && m_tops[i] < bottom; ++i) {
        const MessageItem& item = *m_items[i];
        for (const Part part : {Part::Thought, Part::Answer}) {
            const auto& blocks = item.list(part).blocks();
            if (!item.shows(part))
                continue;
            const BlockRef first = item.blockAt(top - m_tops[i]);
            for (int b = first.part == part ? qMax(0, first.block) : 0; b < int(blocks.size());
                 ++b) {
                const int y = m_tops[i] + item.blockPos({part, b}).y();
                if (y >= bottom)
                    break;
                const Anchor here{i, part, b, top - y};
                if (blocks[b].isExact() && y + blocks[b].height() > top)
                    return here;
                if (fallback.item < 0)
                    fallback = here;
            }
        }
    }
    return fallback;
}

void ChatView::restore(const Anchor& anchor) {
    if (m_followsEnd || anchor.item < 0)
        return;
    const MessageItem& item = *m_items[anchor.item];
    const int y = m_tops[anchor.item] + item.blockPos({anchor.part, anchor.block}).y();
    verticalScrollBar()->setValue(y + anchor.distance);
}

void ChatView::layoutVisible() {
    if (m_inLayout)
        return;
    {
        const QScopedValueRollback guard(m_inLayout, true);
        placeItems();
        updateScrollBar();
        for (int pass = 0; pass < kMaxPasses; ++pass) {
            const Anchor anchor = findAnchor();
            const int top = viewTop() - kMargin;
            const int bottom = viewTop() + viewport()->height() + kMargin;
            bool changed = false;
            for (int i = itemAt(top); i < itemCount() && m_tops[i] < bottom; ++i)
                changed |= m_items[i]->layoutRange(top - m_tops[i], bottom - m_tops[i]);
            if (!changed)
                break;
            placeItems();
            updateScrollBar();
            restore(anchor);
        }
        releaseFar();
    }
    placeChildren();
    const bool exact = std::all_of(m_items.begin(), m_items.end(),
                                   [](const auto& item) { return item->isExact(); });
    if (!exact && !m_idleTimer.isActive())
        m_idleTimer.start(0, this);
}

void ChatView::releaseFar() {
    const int far = 3 * viewport()->height() + kMargin;
    const int top = viewTop() - far;
    const int bottom = viewTop() + viewport()->height() + far;
    for (int i = 0; i < itemCount(); ++i)
        m_items[i]->releaseOutside(top - m_tops[i], bottom - m_tops[i]);
}

/// A slice of work on the heights that are still estimates. Waits while a hand is on the scroll
/// bar.
void ChatView::idleLayout() {
    if (verticalScrollBar()->isSliderDown())
        return;
    const QDeadlineTimer deadline(kIdleSliceMs);
    const QScopedValueRollback guard(m_inLayout, true);
    const Anchor anchor = findAnchor();
    bool left = false;
    for (auto& item : m_items) {
        left = item->layoutSome(deadline);
        if (left)
            break;
    }
    placeItems();
    updateScrollBar();
    restore(anchor);
    viewport()->update();
    if (!left)
        m_idleTimer.stop();
}

/// After a change of width or fonts: the place at the window's top is found again by its text.
void ChatView::relayout() {
    const bool keep = !m_followsEnd && !m_items.empty();
    const TextPos position = keep ? topPosition() : TextPos{};
    const int distance = keep ? positionRect(position).top() : 0;
    for (auto& item : m_items)
        item->setWidth(column().width);
    if (keep) {
        const QScopedValueRollback guard(m_inLayout, true);
        (void)m_items[position.message]->caretRect(position.part,
                                                   position.offset); // lays its block out
        placeItems();
        updateScrollBar();
        verticalScrollBar()->setValue(viewTop() + positionRect(position).top() - distance);
    }
    layoutVisible();
    viewport()->update();
}

void ChatView::resizeEvent(QResizeEvent* event) {
    if (!m_items.empty() && event->oldSize().width() != event->size().width())
        relayout();
    else
        layoutVisible();
    placeChildren();
}

void ChatView::scrollContentsBy(int, int) {
    viewport()->update();
    if (m_inLayout)
        return;
    setFollowsEnd(isAtEnd());
    layoutVisible();
    setHover(m_mouse);
}

bool ChatView::isAtEnd() const {
    return viewTop() >= verticalScrollBar()->maximum() - kAtEnd;
}

void ChatView::setFollowsEnd(bool follows) {
    if (m_followsEnd == follows)
        return;
    m_followsEnd = follows;
    placeChildren();
    Q_EMIT followsEndChanged(follows);
}

void ChatView::scrollToEnd() {
    setFollowsEnd(true);
    layoutVisible();
    viewport()->update();
}

void ChatView::placeChildren() {
    m_empty->setGeometry(viewport()->rect());
    const QSize size = m_toEnd->sizeHint();
    m_toEnd->setGeometry(
        QRect(QPoint(column().left + (column().width - size.width()) / 2,
                     viewport()->height() - size.height() - Theme::instance().px(12)),
              size));
    m_toEnd->setVisible(!m_followsEnd && !m_items.empty());
}

TextPos ChatView::topPosition() {
    if (m_items.empty())
        return {};
    return positionAt(QPoint(column().left, 0));
}

TextPos ChatView::positionAt(const QPoint& viewportPoint) {
    TextPos end;
    return hitSpan(viewportPoint, end);
}

QRect ChatView::positionRect(TextPos position) {
    const QRect rect = m_items[position.message]->caretRect(position.part, position.offset);
    return rect.translated(column().left, m_tops[position.message] - viewTop());
}

void ChatView::scrollToPosition(TextPos position) {
    if (position.message < 0 || position.message >= itemCount())
        return;
    flush();
    setFollowsEnd(false);
    for (int pass = 0; pass < 2; ++pass) { // the first one makes heights on the way exact
        (void)m_items[position.message]->caretRect(position.part, position.offset);
        layoutVisible();
        verticalScrollBar()->setValue(viewTop() + positionRect(position).top());
    }
}

} // namespace sotto::ui
