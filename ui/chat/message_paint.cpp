// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/message_item.h"
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
    for (int i = qMax(0, blockAt(paint.clip.top() - paint.origin.y())); i < int(m_blocks.size());
         ++i) {
        const QPoint pos = paint.origin + blockPos(i);
        if (pos.y() > paint.clip.bottom())
            break;
        const TextBlock& block = m_blocks[i];
        if (!block.isLaidOut() || block.spec().kind == BlockKind::Blank)
            continue;
        TextBlock::Paint with;
        with.origin = pos;
        with.clip = paint.clip;
        with.selection = paint.selection;
        with.ink = color(message().role == Message::Role::System ? Role::Muted : Role::Ink);
        with.rightShift = rightShift();
        with.copyHovered = i == paint.hoveredCopy;
        with.justCopied = i == paint.copiedBlock;
        block.paint(painter, m_metrics, with);
    }
    if (showsCaret())
        paintCaret(painter, paint);
    paintNote(painter, paint);
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
    int last = int(m_blocks.size()) - 1;
    while (last >= 0 && m_blocks[last].spec().kind == BlockKind::Blank)
        --last;
    const qreal ascent = QFontMetricsF(m_metrics.message).ascent();
    QRectF caret(0, headHeight() + 3, 1, ascent);
    if (last >= 0) {
        if (!m_blocks[last].isLaidOut())
            return;
        caret = m_blocks[last].caretRect(m_blocks[last].spec().textEnd, rightShift());
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
