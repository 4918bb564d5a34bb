// SPDX-License-Identifier: Apache-2.0
// Where the parts of a message stand; what is at a place is in message_places.cpp.
#include "ui/chat/message_item.h"

#include "ui/chat/thought_label.h"
#include "ui/theme/digits.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QLocale>
#include <QtGui/QFontMetrics>

#include <algorithm>

namespace sotto::ui {
namespace {

constexpr qreal kBubbleShare = 0.82;      ///< of the column, at most
constexpr int kBubbleBlocks = 64;         ///< with more, a bubble takes its full width
constexpr qsizetype kMeasuredText = 4096; ///< likewise: to measure a bubble is to lay it all out

/// Whether a bubble is as wide as its text; needs the width of all its blocks.
bool isMeasured(const Message& message, int blocks) {
    return message.role == Message::Role::User && blocks <= kBubbleBlocks &&
           message.text.size() <= kMeasuredText;
}

} // namespace

MessageItem::MessageItem(const Conversation& conversation, int index, const ChatMetrics& metrics,
                         const ChatMetrics& thoughts)
    : m_conversation(conversation), m_index(index),
      m_metrics(metrics), m_lists{BlockList(conversation, index, Part::Thought, thoughts),
                                  BlockList(conversation, index, Part::Answer, metrics)} {
    refresh();
}

bool MessageItem::shows(Part part) const {
    return part == Part::Answer || (m_thoughtOpen && message().hasThought());
}

bool MessageItem::isExact() const {
    return answer().isExact() && (!shows(Part::Thought) || list(Part::Thought).isExact());
}

int MessageItem::blockWidth(Part part) const {
    if (part == Part::Thought)
        return qMax(1, m_width - m_metrics.thoughtIndent);
    return isPersons() ? qMax(1, qRound(m_width * kBubbleShare) - 2 * m_metrics.bubblePadX)
                       : m_width;
}

void MessageItem::setWidth(int width) {
    m_width = width;
    for (const Part part : {Part::Thought, Part::Answer})
        mutableList(part).setWidth(blockWidth(part));
    place();
}

void MessageItem::refresh() {
    for (const Part part : {Part::Thought, Part::Answer})
        if (shows(part))
            mutableList(part).refresh();
    place();
}

void MessageItem::setThoughtOpen(bool open) {
    if (open == m_thoughtOpen)
        return;
    m_thoughtOpen = open;
    if (!open)
        mutableList(Part::Thought).setWidth(blockWidth(Part::Thought)); // lets go of the layouts
    refresh();
}

/// What stands above the parts: the author line, and the progress while the prompt is read.
int MessageItem::headHeight() const {
    if (isPersons())
        return m_metrics.bubblePadY;
    int height = m_metrics.smallLineHeight + m_metrics.authorGap;
    if (message().state == Message::State::Reading)
        height += m_metrics.smallLineHeight + 2 * m_metrics.authorGap;
    return height;
}

/// While it thinks, the line over the thought tells that it goes on, or the caret in it.
bool MessageItem::showsCaret() const {
    return message().state == Message::State::Writing &&
           (!message().isThinking() || shows(Part::Thought));
}

/// Returns where the answer begins.
int MessageItem::placeThought(int y) {
    m_thoughtBottom = y;
    if (!message().hasThought())
        return y;
    y += m_metrics.thoughtHeader;
    m_listTops[int(Part::Thought)] = y + m_metrics.authorGap;
    if (m_thoughtOpen)
        y += list(Part::Thought).height() + 2 * m_metrics.authorGap;
    m_thoughtBottom = y;
    const bool more = !answer().isBlank() || (showsCaret() && !message().isThinking());
    return more ? y + m_metrics.blockGap : y;
}

void MessageItem::place() {
    int y = placeThought(headHeight());
    m_listTops[int(Part::Answer)] = y;
    y += answer().height();
    if (answer().isBlank() && ((showsCaret() && !message().isThinking()) || isPersons()))
        y += m_metrics.lineHeight;
    m_contentBottom = y;
    if (isPersons())
        y += m_metrics.bubblePadY;
    placeBubble();
    m_noteTop = y + m_metrics.authorGap;
    m_noteHeight = 0;
    if (!message().note.isEmpty()) {
        const QRect room(0, 0, qMax(1, m_width), 100000);
        m_noteHeight = qMax(m_metrics.smallLineHeight,
                            QFontMetrics(m_metrics.small)
                                .boundingRect(room, Qt::TextWordWrap, message().note)
                                .height());
        y = m_noteTop + m_noteHeight;
    }
    m_height = y;
}

/// Short messages have a bubble as wide as their text; one of many blocks takes the full width, so
/// that it does not depend on all of them being laid out.
void MessageItem::placeBubble() {
    m_bubble = {};
    if (!isPersons())
        return;
    const int most = blockWidth(Part::Answer);
    int text = most;
    if (isMeasured(message(), answer().count()) && answer().isExact()) {
        text = m_metrics.averageWidth;
        for (const TextBlock& block : blocks())
            text = qMax(text, block.naturalWidth());
    }
    const int width = qMin(text, most) + 2 * m_metrics.bubblePadX;
    m_bubble = QRect(m_width - width, 0, width, m_contentBottom + m_metrics.bubblePadY);
}

int MessageItem::rightShift() const {
    return isPersons() ? m_bubble.width() - 2 * m_metrics.bubblePadX - blockWidth(Part::Answer) : 0;
}

QPoint MessageItem::blockPos(BlockRef ref) const {
    int x = isPersons() ? m_bubble.left() + m_metrics.bubblePadX : 0;
    if (ref.part == Part::Thought)
        x = m_metrics.thoughtIndent;
    return {x, m_listTops[int(ref.part)] + list(ref.part).top(ref.block)};
}

QRect MessageItem::authorRect() const {
    return isPersons() ? QRect() : QRect(0, 0, m_width, m_metrics.smallLineHeight);
}

QRect MessageItem::thoughtRect() const {
    if (!message().hasThought())
        return {};
    const QString label = thoughtLabel(message());
    const int text = qCeil(digitsWidth(QFontMetricsF(m_metrics.label), label));
    const int width = 2 * m_metrics.thoughtIndent + m_metrics.thoughtMark + text;
    return {0, headHeight(), qMin(m_width, width), m_metrics.thoughtHeader};
}

bool MessageItem::layoutRange(int top, int bottom) {
    bool changed = false;
    int moved = 0; // what the thought grew by moves the answer
    for (const Part part : {Part::Thought, Part::Answer}) {
        BlockList& blocks = mutableList(part);
        if (!shows(part))
            continue;
        const int y = m_listTops[int(part)] + moved;
        const int before = blocks.height();
        const bool all = isMeasured(message(), blocks.count());
        changed |= blocks.layoutRange(top - y, bottom - y, all);
        moved += blocks.height() - before;
    }
    if (changed)
        place();
    return changed;
}

bool MessageItem::layoutSome(const QDeadlineTimer& deadline) {
    bool left = false, changed = false;
    for (const Part part : {Part::Thought, Part::Answer}) {
        if (!shows(part) || !list(part).hasEstimates())
            continue;
        changed = true;
        left |= mutableList(part).layoutSome(deadline);
    }
    if (changed)
        place();
    return left;
}

void MessageItem::releaseOutside(int top, int bottom) {
    for (const Part part : {Part::Thought, Part::Answer})
        mutableList(part).releaseOutside(top - m_listTops[int(part)],
                                         bottom - m_listTops[int(part)]);
}

QString MessageItem::progressText() const {
    const QLocale locale;
    if (message().promptTotal <= 0)
        return QCoreApplication::translate("sotto::ui::ChatView", "reading");
    return QCoreApplication::translate("sotto::ui::ChatView", "reading %1 of %2 tokens")
        .arg(locale.toString(message().promptDone), locale.toString(message().promptTotal));
}

} // namespace sotto::ui
