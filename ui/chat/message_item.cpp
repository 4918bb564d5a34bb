// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/message_item.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QLocale>
#include <QtGui/QFontMetrics>

#include <algorithm>

namespace sotto::ui {
namespace {

constexpr qreal kBubbleShare = 0.82;      ///< of the column, at most
constexpr size_t kMeasuredBlocks = 64;    ///< with more, a bubble takes its full width
constexpr qsizetype kMeasuredText = 4096; ///< likewise: to measure a bubble is to lay it all out

/// Whether a bubble is as wide as its text; needs the width of all its blocks.
bool isMeasured(const Message& message, size_t blocks) {
    return message.role == Message::Role::User && blocks <= kMeasuredBlocks &&
           message.text.size() <= kMeasuredText;
}

} // namespace

MessageItem::MessageItem(const Conversation& conversation, int index, const ChatMetrics& metrics)
    : m_conversation(conversation), m_index(index), m_metrics(metrics) {
    refresh();
}

bool MessageItem::isExact() const {
    return std::all_of(m_blocks.begin(), m_blocks.end(),
                       [](const TextBlock& block) { return block.isExact(); });
}

int MessageItem::blockWidth() const {
    if (!isPersons())
        return m_width;
    return qMax(1, qRound(m_width * kBubbleShare) - 2 * m_metrics.bubblePadX);
}

void MessageItem::setWidth(int width) {
    m_width = width;
    m_firstEstimate = 0;
    for (TextBlock& block : m_blocks)
        block.estimate(m_metrics, blockWidth());
    place();
}

void MessageItem::refresh() {
    const Markup markup = message().role == Message::Role::Assistant ? Markup::Light : Markup::None;
    const std::vector<BlockSpec> tail(m_specs.empty() ? m_specs.end() : m_specs.end() - 1,
                                      m_specs.end());
    const int from = updateBlocks(message().text, markup, m_specs);
    // Text only grows: an equal place in the source holds equal text.
    const bool same = !tail.empty() && from < int(m_specs.size()) && m_specs[from] == tail.front();
    m_firstEstimate = qMin(m_firstEstimate, from);
    m_blocks.erase(m_blocks.begin() + from + (same ? 1 : 0), m_blocks.end());
    for (size_t i = m_blocks.size(); i < m_specs.size(); ++i) {
        m_blocks.emplace_back(m_specs[i]);
        m_blocks.back().estimate(m_metrics, blockWidth());
    }
    place();
}

/// What stands above the blocks: the author line, and the progress while the prompt is read.
int MessageItem::headHeight() const {
    if (isPersons())
        return m_metrics.bubblePadY;
    int height = m_metrics.smallLineHeight + m_metrics.authorGap;
    if (message().state == Message::State::Reading)
        height += m_metrics.smallLineHeight + 2 * m_metrics.authorGap;
    return height;
}

void MessageItem::place() {
    int y = headHeight();
    int blanks = 0;
    const BlockSpec* above = nullptr;
    m_tops.resize(m_blocks.size());
    for (size_t i = 0; i < m_blocks.size(); ++i) {
        const BlockSpec& spec = m_blocks[i].spec();
        if (spec.kind == BlockKind::Blank) {
            ++blanks;
        } else {
            y += above ? m_metrics.gap(*above, spec, blanks) : 0;
            above = &spec;
            blanks = 0;
        }
        m_tops[i] = y;
        y += m_blocks[i].height();
    }
    if (!above && (showsCaret() || isPersons()))
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
    int text = blockWidth();
    if (isMeasured(message(), m_blocks.size()) && isExact()) {
        text = m_metrics.averageWidth;
        for (const TextBlock& block : m_blocks)
            text = qMax(text, block.naturalWidth());
    }
    const int width = qMin(text, blockWidth()) + 2 * m_metrics.bubblePadX;
    m_bubble = QRect(m_width - width, 0, width, m_contentBottom + m_metrics.bubblePadY);
}

int MessageItem::rightShift() const {
    return isPersons() ? m_bubble.width() - 2 * m_metrics.bubblePadX - blockWidth() : 0;
}

QPoint MessageItem::blockPos(int block) const {
    const int x = isPersons() ? m_bubble.left() + m_metrics.bubblePadX : 0;
    return {x, m_tops[block]};
}

QRect MessageItem::authorRect() const {
    return isPersons() ? QRect() : QRect(0, 0, m_width, m_metrics.smallLineHeight);
}

bool MessageItem::layoutRange(int top, int bottom) {
    bool changed = false;
    const bool all = isMeasured(message(), m_blocks.size());
    int moved = 0; // heights above have changed by that much
    for (int i = all ? 0 : qMax(0, blockAt(top)); i < int(m_blocks.size()); ++i) {
        TextBlock& block = m_blocks[i];
        const int y = m_tops[i] + moved;
        if (y >= bottom && !all)
            break;
        const bool inside = y < bottom && y + block.height() >= top;
        if (block.isLaidOut() || (!inside && (!all || block.isExact())))
            continue;
        const int before = block.height();
        changed = changed || !block.isExact();
        block.layout(message().text, m_metrics, blockWidth());
        moved += block.height() - before;
    }
    if (changed)
        place();
    return changed;
}

bool MessageItem::layoutSome(const QDeadlineTimer& deadline) {
    const int count = int(m_blocks.size());
    bool changed = false;
    for (; m_firstEstimate < count && !deadline.hasExpired(); ++m_firstEstimate) {
        TextBlock& block = m_blocks[m_firstEstimate];
        if (block.isExact())
            continue;
        block.layout(message().text, m_metrics, blockWidth());
        block.release();
        changed = true;
    }
    if (changed)
        place();
    return m_firstEstimate < count;
}

void MessageItem::layoutBlock(int block) {
    m_blocks[block].layout(message().text, m_metrics, blockWidth());
    place();
}

void MessageItem::ensureLaidOut(int block) {
    if (!m_blocks[block].isLaidOut())
        layoutBlock(block);
}

void MessageItem::releaseOutside(int top, int bottom) {
    for (size_t i = 0; i < m_blocks.size(); ++i)
        if (m_tops[i] + m_blocks[i].height() < top || m_tops[i] > bottom)
            m_blocks[i].release();
}

int MessageItem::blockAt(int y) const {
    const auto it = std::upper_bound(m_tops.begin(), m_tops.end(), y);
    int block = int(it - m_tops.begin()) - 1;
    // Blanks share the top of what follows them.
    while (block > 0 && m_blocks[block].spec().kind == BlockKind::Blank)
        --block;
    return m_blocks.empty() ? -1 : qMax(0, block);
}

int MessageItem::blockOf(int sourceOffset) const {
    const auto it = std::upper_bound(m_specs.begin(), m_specs.end(), sourceOffset,
                                     [](int at, const BlockSpec& spec) { return at < spec.begin; });
    return m_specs.empty() ? -1 : qMax(0, int(it - m_specs.begin()) - 1);
}

TextRange MessageItem::hit(QPoint point) {
    const int size = int(message().text.size());
    if (m_blocks.empty() || point.y() >= qMax(m_contentBottom, m_bubble.bottom()))
        return {size, size};
    if (point.y() < 0)
        return {0, 0};
    const int block = blockAt(point.y());
    ensureLaidOut(block);
    return m_blocks[block].hit(point - blockPos(block), rightShift());
}

QRect MessageItem::caretRect(int sourceOffset) {
    const int block = blockOf(sourceOffset);
    if (block < 0)
        return {0, headHeight(), 1, m_metrics.lineHeight};
    ensureLaidOut(block);
    return m_blocks[block]
        .caretRect(sourceOffset, rightShift())
        .translated(blockPos(block))
        .toAlignedRect();
}

TextRange MessageItem::wordAt(int sourceOffset) {
    const int block = blockOf(sourceOffset);
    if (block < 0)
        return {sourceOffset, sourceOffset};
    ensureLaidOut(block);
    return m_blocks[block].wordAt(sourceOffset);
}

TextRange MessageItem::paragraphAt(int sourceOffset) const {
    const QString& text = message().text;
    const int block = blockOf(sourceOffset);
    if (block < 0)
        return {sourceOffset, sourceOffset};
    const BlockSpec& spec = m_specs[block];
    if (spec.kind != BlockKind::Code)
        return {spec.textBegin, spec.textEnd};
    const qsizetype before = sourceOffset > 0 ? text.lastIndexOf(u'\n', sourceOffset - 1) : -1;
    const qsizetype behind = text.indexOf(u'\n', sourceOffset);
    return {qMax(spec.textBegin, int(before) + 1),
            behind < 0 ? spec.textEnd : qMin(spec.textEnd, int(behind))};
}

TextRange MessageItem::withMarks(TextRange range) {
    if (range.isEmpty() || m_blocks.empty())
        return range;
    TextRange wide = range;
    for (const int offset : {range.begin, range.end}) {
        const int block = blockOf(offset);
        ensureLaidOut(block);
        const TextRange found = m_blocks[block].withMarks(range);
        wide = {qMin(wide.begin, found.begin), qMax(wide.end, found.end)};
    }
    return wide;
}

int MessageItem::copyButtonAt(QPoint point) const {
    const int block = blockAt(point.y());
    if (block < 0)
        return -1;
    const QRectF rect = m_blocks[block].copyRect(m_metrics).translated(blockPos(block));
    return rect.contains(point) ? block : -1;
}

QString MessageItem::codeOf(int block) const {
    int last = block;
    while (last + 1 < int(m_specs.size()) &&
           m_specs[last + 1].fenceBegin == m_specs[block].fenceBegin)
        ++last;
    return message().text.mid(m_specs[block].textBegin,
                              m_specs[last].textEnd - m_specs[block].textBegin);
}

QString MessageItem::progressText() const {
    const QLocale locale;
    if (message().promptTotal <= 0)
        return QCoreApplication::translate("sotto::ui::ChatView", "reading");
    return QCoreApplication::translate("sotto::ui::ChatView", "reading %1 of %2 tokens")
        .arg(locale.toString(message().promptDone), locale.toString(message().promptTotal));
}

QString MessageItem::shownText() {
    QStringList parts;
    for (int i = 0; i < int(m_blocks.size()); ++i) {
        ensureLaidOut(i);
        parts += m_blocks[i].shown().text();
    }
    return parts.join(QChar(QChar::LineSeparator));
}

} // namespace sotto::ui
