// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/chat_view.h"

#include "ui/chat/chat_accessible.h"
#include "ui/chat/message_item.h"
#include "ui/chat/to_end_button.h"
#include "ui/theme/theme.h"

#include <QtCore/QTimerEvent>
#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>
#include <QtGui/QPaintEvent>
#include <QtGui/QPainter>
#include <QtWidgets/QScrollBar>

#include <algorithm>

namespace sotto::ui {
namespace {

constexpr int kFlushMs = 16;

} // namespace

ChatView::ChatView(QWidget* parent)
    : QAbstractScrollArea(parent), m_metrics(std::make_unique<ChatMetrics>()),
      m_thoughtMetrics(std::make_unique<ChatMetrics>(ChatMetrics::ofThoughts())) {
    installChatAccessible();
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(tr("Conversation"));
    viewport()->setMouseTracking(true);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    useGround(viewport(), Role::Page); // the scroll bar stands on it, too
    m_empty = new EmptyStateView(viewport());
    connect(m_empty, &EmptyStateView::exampleChosen, this, &ChatView::exampleChosen);
    connect(m_empty, &EmptyStateView::openModelRequested, this, &ChatView::openModelRequested);
    m_toEnd = new ToEndButton(viewport());
    m_toEnd->hide();
    connect(m_toEnd, &QAbstractButton::clicked, this, &ChatView::scrollToEnd);
    connect(&Theme::instance(), &Theme::changed, this, &ChatView::onThemeChanged);
}

ChatView::~ChatView() = default;

void ChatView::setConversation(Conversation* conversation) {
    if (m_conversation)
        m_conversation->disconnect(this);
    m_conversation = conversation;
    if (conversation) {
        connect(conversation, &Conversation::appended, this, &ChatView::onAppended);
        connect(conversation, &Conversation::textAppended, this, &ChatView::refresh);
        connect(conversation, &Conversation::thinkingAppended, this, &ChatView::refresh);
        connect(conversation, &Conversation::changed, this, &ChatView::refresh);
        connect(conversation, &Conversation::removed, this, &ChatView::onRemoved);
        // Before the messages are gone that the items look at.
        connect(conversation, &QObject::destroyed, this, [this] {
            m_conversation = nullptr;
            rebuild();
        });
    }
    rebuild();
}

void ChatView::setEmptyState(const EmptyState& state) {
    m_empty->setState(state);
    onEmptyChanged();
}

void ChatView::onEmptyChanged() {
    m_empty->setVisible(m_items.empty());
    placeChildren();
    viewport()->update();
}

void ChatView::rebuild() {
    const bool had = hasSelection();
    m_items.clear();
    m_stale.clear();
    m_selection.clear();
    m_hovered = m_hoveredThought = m_focusedThought = m_copiedItem = -1;
    m_selecting = false;
    for (int i = 0; m_conversation && i < m_conversation->count(); ++i)
        addItem(i);
    setFollowsEnd(true);
    onEmptyChanged();
    layoutVisible();
    selectionMoved(had);
}

void ChatView::addItem(int index) {
    m_items.push_back(
        std::make_unique<MessageItem>(*m_conversation, index, *m_metrics, *m_thoughtMetrics));
    m_items.back()->setThoughtOpen(m_opensThoughts);
    m_items.back()->setWidth(column().width);
}

void ChatView::onAppended(int index) {
    addItem(index);
    placeItems();
    // A question of one's own is worth seeing, wherever one was reading.
    if (m_conversation->at(index).role == Message::Role::User)
        setFollowsEnd(true);
    if (m_items.size() == 1)
        onEmptyChanged();
    notifyMessageAdded(this, index);
    refresh(index);
}

void ChatView::refresh(int index) {
    if (std::find(m_stale.begin(), m_stale.end(), index) == m_stale.end())
        m_stale.push_back(index);
    if (!m_flushTimer.isActive())
        m_flushTimer.start(kFlushMs, Qt::PreciseTimer, this);
}

void ChatView::flush() {
    m_flushTimer.stop();
    for (const int index : m_stale)
        m_items[index]->refresh();
    m_stale.clear();
    layoutVisible();
    viewport()->update();
}

void ChatView::onRemoved(int from) {
    const bool had = hasSelection();
    std::erase_if(m_stale, [from](int index) { return index >= from; });
    m_items.resize(from);
    m_selection.truncate(from);
    m_hovered = m_hovered >= from ? -1 : m_hovered;
    m_copiedItem = m_copiedItem >= from ? -1 : m_copiedItem;
    m_hoveredThought = m_hoveredThought >= from ? -1 : m_hoveredThought;
    m_focusedThought = m_focusedThought >= from ? -1 : m_focusedThought;
    m_selecting = m_selecting && hasSelection();
    notifyMessagesRemoved(this, from);
    onEmptyChanged();
    flush();
    selectionMoved(had);
}

void ChatView::onThemeChanged() {
    *m_metrics = ChatMetrics();
    *m_thoughtMetrics = ChatMetrics::ofThoughts();
    relayout();
}

int ChatView::regenerable() const {
    const int last = itemCount() - 1;
    if (last < 0 || !m_conversation)
        return -1;
    const Message& message = m_conversation->at(last);
    const bool busy =
        message.state == Message::State::Reading || message.state == Message::State::Writing;
    return message.role == Message::Role::Assistant && !busy ? last : -1;
}

QString ChatView::selectedText() const {
    QStringList parts;
    if (m_selection.isEmpty() || !m_conversation)
        return {};
    for (int i = m_selection.begin().message; i <= m_selection.end().message; ++i) {
        for (const Part part : {Part::Thought, Part::Answer}) {
            if (!m_items[i]->shows(part))
                continue;
            const QString& text = m_items[i]->list(part).text();
            const TextRange marked = m_selection.in(i, part, int(text.size()));
            const TextRange range = m_items[i]->withMarks(part, marked);
            // One that only its edge touches adds no empty line.
            if (!range.isEmpty())
                parts += text.mid(range.begin, range.end - range.begin);
        }
    }
    return parts.join(QStringLiteral("\n\n"));
}

void ChatView::selectAll() {
    if (m_items.empty())
        return;
    const bool had = hasSelection();
    const int last = itemCount() - 1;
    m_selection.setAnchor({0, 0, Part::Thought}, {last, int(m_conversation->at(last).text.size())});
    selectionMoved(had);
}

void ChatView::clearSelection() {
    const bool had = hasSelection();
    m_selection.clear();
    selectionMoved(had);
}

void ChatView::selectionMoved(bool hadSelection) {
    viewport()->update();
    if (hadSelection || hasSelection())
        Q_EMIT selectionChanged();
}

void ChatView::copy() {
    if (hasSelection())
        QGuiApplication::clipboard()->setText(selectedText());
}

void ChatView::copyMessage(int index) {
    if (!m_conversation || index < 0 || index >= itemCount())
        return;
    QGuiApplication::clipboard()->setText(m_conversation->at(index).text);
    Q_EMIT copyMessageRequested(index);
}

void ChatView::copyThought(int index) {
    if (m_conversation && index >= 0 && index < itemCount())
        QGuiApplication::clipboard()->setText(m_conversation->at(index).thinking);
}

void ChatView::paintEvent(QPaintEvent* event) {
    const Theme& theme = Theme::instance();
    QPainter painter(viewport());
    painter.fillRect(event->rect(), theme.color(Role::Page));
    const int top = viewTop();
    const int bottom = top + viewport()->height();
    for (int i = itemAt(top); i < itemCount() && m_tops[i] < bottom; ++i) {
        MessageItem::Paint paint;
        paint.origin = {column().left, m_tops[i] - top};
        paint.clip = event->rect();
        for (const Part part : {Part::Thought, Part::Answer})
            paint.selection[int(part)] =
                m_selection.in(i, part, int(m_items[i]->list(part).text().size()));
        paint.hoveredCopy = i == m_hovered ? m_hoveredCode : BlockRef{};
        paint.copiedBlock = i == m_copiedItem ? m_copiedCode : BlockRef{};
        paint.thoughtHovered = i == m_hoveredThought;
        paint.thoughtFocused = i == focusedThought();
        m_items[i]->paint(painter, paint);
    }
    paintTools(painter);
    if (hasFocus() && m_showsFocus && m_focusedThought < 0) {
        painter.setPen(QPen(theme.color(Role::Focus), 2));
        painter.drawRect(viewport()->rect().adjusted(1, 1, -1, -1));
    }
}

void ChatView::timerEvent(QTimerEvent* event) {
    const int id = event->timerId();
    if (id == m_flushTimer.timerId()) {
        flush();
    } else if (id == m_idleTimer.timerId()) {
        idleLayout();
    } else if (id == m_tripleTimer.timerId()) {
        m_tripleTimer.stop();
    } else if (id == m_copiedTimer.timerId()) {
        m_copiedTimer.stop();
        m_copiedItem = -1;
        viewport()->update();
    } else if (id == m_autoScrollTimer.timerId()) {
        const int beyond =
            m_mouse.y() < 0 ? m_mouse.y() : qMax(0, m_mouse.y() - viewport()->height());
        verticalScrollBar()->setValue(verticalScrollBar()->value() + beyond / 2);
        extendTo(m_mouse);
    } else {
        QAbstractScrollArea::timerEvent(event);
    }
}

} // namespace sotto::ui
