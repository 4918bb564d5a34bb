// SPDX-License-Identifier: Apache-2.0
// What of a message is at a place on screen, and where a place in its text is.
#include "ui/chat/message_item.h"

namespace sotto::ui {

void MessageItem::ensureLaidOut(BlockRef ref) {
    if (mutableList(ref.part).ensureLaidOut(ref.block))
        place();
}

BlockRef MessageItem::blockAt(int y) const {
    const bool thought = shows(Part::Thought) && list(Part::Thought).count() > 0 &&
                         (y < m_thoughtBottom || answer().count() == 0);
    const Part part = thought ? Part::Thought : Part::Answer;
    return {part, list(part).blockAt(y - m_listTops[int(part)])};
}

MessageItem::Hit MessageItem::hit(QPoint point) {
    const int size = int(message().text.size());
    const Part first = shows(Part::Thought) ? Part::Thought : Part::Answer;
    if (point.y() < 0)
        return {first, {0, 0}};
    const bool below = point.y() >= qMax(m_contentBottom, m_bubble.bottom());
    if (below && (size > 0 || first == Part::Answer))
        return {Part::Answer, {size, size}};
    const BlockRef ref = blockAt(point.y());
    if (ref.isNull())
        return {Part::Answer, {size, size}};
    ensureLaidOut(ref);
    return {ref.part, list(ref.part).blocks()[ref.block].hit(
                          point - blockPos(ref), ref.part == Part::Answer ? rightShift() : 0)};
}

QRect MessageItem::caretRect(Part part, int sourceOffset) {
    if (!shows(part))
        return {0, headHeight(), 1, m_metrics.thoughtHeader};
    const BlockRef ref{part, list(part).blockOf(sourceOffset)};
    if (ref.isNull())
        return {0, m_listTops[int(part)], 1, m_metrics.lineHeight};
    ensureLaidOut(ref);
    return list(part)
        .blocks()[ref.block]
        .caretRect(sourceOffset, part == Part::Answer ? rightShift() : 0)
        .translated(blockPos(ref))
        .toAlignedRect();
}

TextRange MessageItem::wordAt(Part part, int sourceOffset) {
    const BlockRef ref{part, list(part).blockOf(sourceOffset)};
    if (ref.isNull() || !shows(part))
        return {sourceOffset, sourceOffset};
    ensureLaidOut(ref);
    return list(part).blocks()[ref.block].wordAt(sourceOffset);
}

TextRange MessageItem::paragraphAt(Part part, int sourceOffset) const {
    return list(part).paragraphAt(sourceOffset);
}

TextRange MessageItem::withMarks(Part part, TextRange range) {
    if (range.isEmpty() || list(part).count() == 0)
        return range;
    TextRange wide = range;
    for (const int offset : {range.begin, range.end}) {
        const BlockRef ref{part, list(part).blockOf(offset)};
        ensureLaidOut(ref);
        const TextRange found = list(part).blocks()[ref.block].withMarks(range);
        wide = {qMin(wide.begin, found.begin), qMax(wide.end, found.end)};
    }
    return wide;
}

BlockRef MessageItem::copyButtonAt(QPoint point) const {
    const BlockRef ref = blockAt(point.y());
    if (ref.isNull())
        return {};
    const TextBlock& block = list(ref.part).blocks()[ref.block];
    const QRectF rect = block.copyRect(list(ref.part).metrics()).translated(blockPos(ref));
    return rect.contains(point) ? ref : BlockRef{};
}

QString MessageItem::codeOf(BlockRef ref) const {
    return list(ref.part).codeOf(ref.block);
}

QString MessageItem::shownText(Part part) {
    QStringList parts;
    for (int i = 0; shows(part) && i < list(part).count(); ++i) {
        ensureLaidOut({part, i});
        parts += list(part).blocks()[i].shown().text();
    }
    return parts.join(QChar(QChar::LineSeparator));
}

} // namespace sotto::ui
