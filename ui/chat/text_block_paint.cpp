// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/chat_view.h"
#include "ui/chat/text_block.h"
#include "ui/theme/theme.h"

#include <QtGui/QFontMetricsF>
#include <QtGui/QPainter>

namespace sotto::ui {
namespace {

QColor color(Role role) {
    return Theme::instance().color(role);
}

bool isBullet(const QString& label) {
    return label.size() == 1;
}

} // namespace

void TextBlock::paint(QPainter& painter, const ChatMetrics& metrics, const Paint& paint) const {
    const QPointF origin = paint.origin + textOrigin(paint.rightShift);
    if (m_spec.kind == BlockKind::Code)
        paintFrame(painter, metrics, paint);
    paintCodeSpans(painter, origin);
    paintSelection(painter, origin, paint);
    if (m_spec.kind == BlockKind::ListItem && m_spec.first)
        paintMark(painter, metrics, paint);
    painter.setPen(paint.ink);
    m_laid->layout.draw(&painter, origin, markedText(paint), paint.clip);
}

/// Text of lesser weight is drawn as any other on the ground of a selection, where it would be hard
/// to read.
QList<QTextLayout::FormatRange> TextBlock::markedText(const Paint& paint) const {
    const int begin = qMax(paint.selection.begin, m_spec.begin);
    const int end = qMin(paint.selection.end, m_spec.end);
    if (begin >= end || paint.ink == color(Role::Ink))
        return {};
    const int from = m_laid->shown.toShown(begin), to = m_laid->shown.toShown(end);
    QTextCharFormat format;
    format.setForeground(color(Role::Ink));
    return {{from, to - from, format}};
}

/// The code's ground. A piece in the middle of a long block draws sides only: the rounded rectangle
/// reaches beyond what is clipped.
void TextBlock::paintFrame(QPainter& painter, const ChatMetrics& metrics,
                           const Paint& paint) const {
    const qreal radius = metrics.codeRadius;
    const QRectF whole(paint.origin, QSizeF(m_width, m_height));
    QRectF frame = whole.adjusted(0.5, m_spec.first ? 0.5 : -radius * 2, -0.5,
                                  m_spec.last ? -0.5 : radius * 2);
    painter.save();
    painter.setClipRect(whole, Qt::IntersectClip);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(color(Role::Line));
    painter.setBrush(color(Role::CodeGround));
    painter.drawRoundedRect(frame, radius, radius);
    if (m_spec.first) {
        const qreal y = whole.top() + metrics.codeHeader - 0.5;
        painter.drawLine(QPointF(whole.left() + 1, y), QPointF(whole.right() - 1, y));
        painter.setFont(metrics.small);
        painter.setPen(color(Role::Muted));
        const QRectF head(whole.left() + metrics.codePad, whole.top(),
                          whole.width() - 2 * metrics.codePad, metrics.codeHeader);
        const QRectF copy = copyRect(metrics).translated(paint.origin);
        const QString label =
            QFontMetricsF(metrics.small)
                .elidedText(m_laid->label, Qt::ElideRight, qMax(0.0, copy.left() - head.left()));
        painter.drawText(head, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, label);
        painter.setPen(color(paint.copyHovered || paint.justCopied ? Role::Accent : Role::Muted));
        painter.drawText(head, Qt::AlignRight | Qt::AlignVCenter,
                         paint.justCopied ? ChatView::tr("Copied") : ChatView::tr("Copy"));
    }
    painter.restore();
}

void TextBlock::paintMark(QPainter& painter, const ChatMetrics& metrics, const Paint& paint) const {
    if (m_laid->layout.lineCount() == 0)
        return;
    const QTextLine line = m_laid->layout.lineAt(0);
    const qreal baseline = paint.origin.y() + m_textTop + line.y() + line.ascent();
    const QString mark = isBullet(m_laid->label) ? QStringLiteral("\u2022") : m_laid->label;
    const QFontMetricsF font(metrics.message);
    const qreal gap = font.horizontalAdvance(u' ') * 1.6;
    const qreal left = m_laid->rightToLeft
                           ? m_width - m_indent + gap
                           : qMax(0.0, m_indent - gap - font.horizontalAdvance(mark));
    painter.setFont(metrics.message);
    painter.setPen(color(Role::Muted));
    painter.drawText(QPointF(paint.origin.x() + left, baseline), mark);
}

void TextBlock::paintCodeSpans(QPainter& painter, const QPointF& origin) const {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color(Role::CodeGround));
    for (const ShownText::Run& run : m_laid->shown.runs()) {
        if (!(run.style & ShownText::Code))
            continue;
        for (const QRectF& rect : rects(run.begin, run.end, false))
            painter.drawRoundedRect(
                rect.translated(origin).adjusted(-kCodeSpanPad, -0.5, kCodeSpanPad, 0.5), 4, 4);
    }
    painter.restore();
}

void TextBlock::paintSelection(QPainter& painter, const QPointF& origin, const Paint& paint) const {
    const TextRange& marked = paint.selection;
    if (marked.isEmpty() || marked.end <= m_spec.begin || marked.begin >= m_spec.end)
        return;
    const QColor ground = color(Role::Selection);
    const int from = m_laid->shown.toShown(marked.begin);
    const int to = m_laid->shown.toShown(marked.end);
    for (const QRectF& rect : rects(from, to, true))
        painter.fillRect(rect.translated(origin), ground);
    // A marked line end shows as a sliver, so that empty lines show at all.
    if (marked.end > m_spec.textEnd && marked.begin <= m_spec.textEnd &&
        m_spec.end > m_spec.textEnd && m_spec.kind != BlockKind::Code) {
        const QRectF caret = caretRect(m_spec.textEnd, paint.rightShift).translated(paint.origin);
        const qreal width = m_laid->rightToLeft ? -5 : 5;
        painter.fillRect(
            QRectF(caret.x(), paint.origin.y() + m_height - m_lineHeight, width, m_lineHeight)
                .normalized(),
            ground);
    }
}

} // namespace sotto::ui
