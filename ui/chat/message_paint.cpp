// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/message_item.h"
#include "ui/chat/thought_label.h"
#include "ui/theme/digits.h"
#include "ui/theme/theme.h"

#include <QtCore/QCoreApplication>
#include <QtGui/QFontMetricsF>
#include <QtGui/QPainter>

namespace sotto::ui {
namespace {

QColor color(Role role) {
    return Theme::instance().color(role);
}

} // namespace

void MessageItem::paint(QPainter& painter, const Paint& paint) const {
    paintHead(painter, paint);
    paintThought(painter, paint);
    for (const Part part : {Part::Thought, Part::Answer})
        if (shows(part))
            paintBlocks(painter, part, paint);
    if (showsCaret())
        paintCaret(painter, paint);
    paintNote(painter, paint);
}

void MessageItem::paintBlocks(QPainter& painter, Part part, const Paint& paint) const {
    const BlockList& shown = list(part);
    const bool quiet = part == Part::Thought || message().role == Message::Role::System;
    const int top = paint.clip.top() - paint.origin.y() - m_listTops[int(part)];
    for (int i = qMax(0, shown.blockAt(top)); i < shown.count(); ++i) {
        const BlockRef ref{part, i};
        const QPoint pos = paint.origin + blockPos(ref);
        if (pos.y() > paint.clip.bottom())
            break;
        const TextBlock& block = shown.blocks()[i];
        if (!block.isLaidOut() || block.spec().kind == BlockKind::Blank)
            continue;
        TextBlock::Paint with;
        with.origin = pos;
        with.clip = paint.clip;
        with.selection = paint.selection[int(part)];
        with.ink = color(quiet ? Role::Muted : Role::Ink);
        with.rightShift = part == Part::Answer ? rightShift() : 0;
        with.copyHovered = ref == paint.hoveredCopy;
        with.justCopied = ref == paint.copiedBlock;
        block.paint(painter, shown.metrics(), with);
    }
}

namespace {

/// To the right, or down when open.
QPolygonF triangle(QPointF centre, qreal size, bool open) {
    const qreal half = size / 2, third = size / 3;
    QPolygonF shape;
    if (open)
        shape << QPointF(-half, -third) << QPointF(half, -third) << QPointF(0, half);
    else
        shape << QPointF(-third, -half) << QPointF(half, 0) << QPointF(-third, half);
    return shape.translated(centre);
}

} // namespace

/// The edge at the left, and the line that opens and closes.
void MessageItem::paintThought(QPainter& painter, const Paint& paint) const {
    if (!message().hasThought())
        return;
    const Theme& theme = Theme::instance();
    const QRect line = thoughtRect().translated(paint.origin);
    const int bottom = paint.origin.y() + m_thoughtBottom;
    painter.fillRect(QRect(line.topLeft(), QSize(theme.px(2), bottom - line.top())),
                     color(Role::Line));
    const QRectF words = line.adjusted(m_metrics.thoughtIndent, 0, 0, 0);
    painter.save();
    painter.setClipRect(QRect(paint.origin.x(), line.top(), m_width, line.height()),
                        Qt::IntersectClip);
    painter.setRenderHint(QPainter::Antialiasing);
    if (paint.thoughtFocused) {
        painter.setPen(QPen(color(Role::Focus), 2));
        painter.drawRoundedRect(QRectF(line).adjusted(theme.px(6), 1, -1, -1), theme.px(6),
                                theme.px(6));
    }
    const QColor ink = color(paint.thoughtHovered ? Role::Ink : Role::Muted);
    const qreal size = theme.px(7);
    painter.setPen(Qt::NoPen);
    painter.setBrush(ink);
    painter.drawPolygon(
        triangle({words.left() + size / 2, words.center().y()}, size, m_thoughtOpen));
    painter.setFont(m_metrics.label);
    painter.setPen(ink);
    const QFontMetricsF metrics(m_metrics.label);
    const qreal baseline = qRound(words.center().y() + (metrics.ascent() - metrics.descent()) / 2);
    paintDigits(&painter, {words.left() + m_metrics.thoughtMark, baseline},
                thoughtLabel(message()));
    painter.restore();
}

void MessageItem::paintHead(QPainter& painter, const Paint& paint) const {
    if (isPersons()) {
        painter.save();
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(color(Role::AccentGround));
        painter.drawRoundedRect(m_bubble.translated(paint.origin), m_metrics.bubbleRadius,
                                m_metrics.bubbleRadius);
        painter.restore();
        return;
    }
    const bool system = message().role == Message::Role::System;
    const QString author = system && message().author.isEmpty()
                               ? QCoreApplication::translate("sotto::ui::ChatView", "System prompt")
                               : message().author;
    // The tools at the right keep their room.
    const QRect line = authorRect().translated(paint.origin);
    const QFontMetricsF metrics(m_metrics.small);
    painter.setFont(m_metrics.small);
    painter.setPen(color(Role::Muted));
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                     metrics.elidedText(author, Qt::ElideMiddle,
                                        qMax(0, line.width() - 3 * m_metrics.toolSize)));
    if (message().state == Message::State::Reading)
        paintProgress(painter, line.bottomLeft() + QPoint(0, 1 + m_metrics.authorGap));
}

void MessageItem::paintProgress(QPainter& painter, const QPoint& origin) const {
    painter.drawText(QRect(origin, QSize(m_width, m_metrics.smallLineHeight)),
                     Qt::AlignLeft | Qt::AlignVCenter, progressText());
    const qreal height = Theme::instance().px(3);
    const QRectF groove(origin.x(),
                        origin.y() + m_metrics.smallLineHeight + m_metrics.authorGap / 2.0,
                        qMin(m_width, Theme::instance().px(240)), height);
    const qreal done = message().promptTotal > 0
                           ? qBound(0.0, qreal(message().promptDone) / message().promptTotal, 1.0)
                           : 0.0;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color(Role::Groove));
    painter.drawRoundedRect(groove, height / 2, height / 2);
    painter.setBrush(color(Role::Accent));
    painter.drawRoundedRect(QRectF(groove.topLeft(), QSizeF(groove.width() * done, height)),
                            height / 2, height / 2);
    painter.restore();
}

void MessageItem::paintNote(QPainter& painter, const Paint& paint) const {
    if (message().note.isEmpty())
        return;
    const bool failed = message().state == Message::State::Failed;
    painter.setFont(m_metrics.small);
    painter.setPen(color(failed ? Role::Warning : Role::Muted));
    const int side = isPersons() ? Qt::AlignRight : Qt::AlignLeft;
    painter.drawText(QRect(paint.origin + QPoint(0, m_noteTop), QSize(m_width, m_noteHeight)),
                     side | Qt::AlignTop | Qt::TextWordWrap, message().note);
}

/// Behind the last character that is shown; it does not blink.
void MessageItem::paintCaret(QPainter& painter, const Paint& paint) const {
    const Part part = message().isThinking() ? Part::Thought : Part::Answer;
    const BlockList& shown = list(part);
    const BlockRef last{part, shown.lastShown()};
    const qreal ascent = QFontMetricsF(shown.metrics().message).ascent();
    QRectF caret(0, m_listTops[int(part)] + 3, 1, ascent);
    if (!last.isNull()) {
        const TextBlock& block = shown.blocks()[last.block];
        if (!block.isLaidOut())
            return;
        caret = block.caretRect(block.spec().textEnd, part == Part::Answer ? rightShift() : 0);
        caret.translate(blockPos(last));
    }
    const qreal height = qMin(caret.height() - 2, ascent);
    const qreal top = caret.top() + (caret.height() - height) / 2;
    const qreal left = qMin(caret.left() + 1, qreal(m_width - m_metrics.caretWidth));
    painter.fillRect(QRectF(qRound(left), qRound(top), m_metrics.caretWidth, qRound(height))
                         .translated(paint.origin),
                     color(Role::Accent));
}

} // namespace sotto::ui
