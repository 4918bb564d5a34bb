// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/text_block.h"

#include <QtCore/QTextBoundaryFinder>
#include <QtGui/QFontMetricsF>
#include <QtGui/QGlyphRun>

#include <algorithm>
#include <cmath>
#include <utility>

namespace sotto::ui {
namespace {

int topPad(const BlockSpec& spec, const ChatMetrics& metrics) {
    const bool header = spec.kind == BlockKind::Code && spec.first;
    return header ? metrics.codeHeader + metrics.codePad * 3 / 4 : 0;
}

int bottomPad(const BlockSpec& spec, const ChatMetrics& metrics) {
    const bool foot = spec.kind == BlockKind::Code && spec.last;
    return foot ? metrics.codePad * 3 / 4 : 0;
}

int textWidth(const BlockSpec& spec, const ChatMetrics& metrics, int width) {
    const int right = spec.kind == BlockKind::Code ? metrics.codePad : 0;
    return qMax(metrics.averageWidth * 4, width - metrics.indentOf(spec) - right);
}

/// A piece of code that only closes its fence has no line.
bool hasText(const BlockSpec& spec) {
    if (spec.kind == BlockKind::Blank)
        return false;
    return spec.kind != BlockKind::Code || spec.textEnd > spec.textBegin || spec.first;
}

using Span = std::pair<qreal, qreal>;

/// Where characters [begin, end) of a line are, left to right: the order on screen is not that in
/// the text, so the glyphs are asked. Tabs have none.
std::vector<Span> spansOf(const QTextLine& line, const QString& text, int begin, int end) {
    std::vector<Span> spans;
    for (const QGlyphRun& run : line.glyphRuns(begin, end - begin)) {
        const QRectF rect = run.boundingRect();
        spans.emplace_back(rect.left(), rect.right());
    }
    for (int at = begin; at < end; ++at)
        if (text.at(at) == u'\t')
            spans.emplace_back(std::minmax(line.cursorToX(at), line.cursorToX(at + 1)));
    std::sort(spans.begin(), spans.end());
    std::vector<Span> joined;
    for (const Span& span : spans) {
        if (!joined.empty() && span.first <= joined.back().second + 1)
            joined.back().second = qMax(joined.back().second, span.second);
        else
            joined.push_back(span);
    }
    return joined;
}

} // namespace

void TextBlock::estimate(const ChatMetrics& metrics, int width) {
    m_exact = false;
    m_laid.reset();
    m_width = width;
    m_height = topPad(m_spec, metrics) + bottomPad(m_spec, metrics);
    if (!hasText(m_spec))
        return;
    const bool code = m_spec.kind == BlockKind::Code;
    const int advance = code ? metrics.monoWidth : metrics.averageWidth;
    const int perLine = qMax(1, textWidth(m_spec, metrics, width) / advance);
    // Code: half a line's length for each line is as good a guess as any before it is laid out.
    const int length = m_spec.textEnd - m_spec.textBegin;
    const int lines = code ? 1 + length / 32 : 1 + length / perLine;
    m_height += lines * metrics.lineHeightOf(m_spec);
}

void TextBlock::layout(QStringView source, const ChatMetrics& metrics, int width) {
    m_width = width;
    m_exact = true;
    m_naturalWidth = 0;
    m_indent = metrics.indentOf(m_spec);
    m_textTop = topPad(m_spec, metrics);
    m_lineHeight = metrics.lineHeightOf(m_spec);
    m_laid = std::make_unique<Laid>();
    m_laid->shown = ShownText(source, m_spec);
    if (m_spec.kind == BlockKind::Code && m_spec.first)
        m_laid->label = fenceLanguage(source, m_spec.fenceBegin);
    else if (m_spec.kind == BlockKind::ListItem && m_spec.first)
        m_laid->label =
            source.mid(m_spec.begin, m_spec.textBegin - m_spec.begin).trimmed().toString();
    const int lines = layoutLines(metrics, textWidth(m_spec, metrics, width));
    m_height = m_textTop + (hasText(m_spec) ? lines : 0) + bottomPad(m_spec, metrics);
}

int TextBlock::layoutLines(const ChatMetrics& metrics, int lineWidth) {
    const bool code = m_spec.kind == BlockKind::Code;
    QTextLayout& layout = m_laid->layout;
    layout.setText(m_laid->shown.text());
    layout.setFont(metrics.fontOf(m_spec));
    m_laid->rightToLeft = !code && layout.text().isRightToLeft();
    QTextOption option(m_laid->rightToLeft ? Qt::AlignRight | Qt::AlignAbsolute : Qt::AlignLeft);
    option.setTextDirection(m_laid->rightToLeft ? Qt::RightToLeft : Qt::LeftToRight);
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    option.setTabStopDistance(code ? metrics.codeTabStop : metrics.tabStop);
    layout.setTextOption(option);
    layout.setCacheEnabled(true);
    setFormats(metrics);
    // The baseline sits where the block's own font puts it, whatever fonts a line mixes in.
    const QFontMetricsF own(metrics.fontOf(m_spec));
    qreal y = 0;
    layout.beginLayout();
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(lineWidth);
        const qreal height = qMax<qreal>(m_lineHeight, std::ceil(line.height()));
        const qreal above = qMax(own.ascent(), line.ascent());
        const qreal below = qMax(own.descent(), line.descent());
        line.setPosition({0, y + std::floor((height - above - below) / 2) + above - line.ascent()});
        m_naturalWidth = qMax(m_naturalWidth, qCeil(line.naturalTextWidth()));
        y += height;
    }
    layout.endLayout();
    return qCeil(y);
}

void TextBlock::setFormats(const ChatMetrics& metrics) {
    QList<QTextLayout::FormatRange> formats;
    for (const ShownText::Run& run : m_laid->shown.runs()) {
        QTextCharFormat format;
        if (run.style & ShownText::Bold)
            format.setFontWeight(QFont::Bold);
        if (run.style & ShownText::Code) {
            format.setFontFamilies(metrics.mono.families());
            format.setFontPointSize(metrics.mono.pointSizeF());
        }
        formats.append({run.begin, run.end - run.begin, format});
        if (run.style & ShownText::Code)
            addAir(formats, run);
    }
    m_laid->layout.setFormats(formats + m_laid->shown.drawn().formats());
}

/// Widens the spaces round a code span by what its ground reaches beyond its text.
void TextBlock::addAir(QList<QTextLayout::FormatRange>& formats, const ShownText::Run& run) const {
    const QString& text = m_laid->shown.text();
    QTextCharFormat air;
    air.setFontWordSpacing(kCodeSpanPad);
    for (const int at : {run.begin - 1, run.end})
        if (at >= 0 && at < text.size() && text.at(at) == u' ')
            formats.append({at, 1, air});
}

QPointF TextBlock::textOrigin(int rightShift) const {
    if (!m_laid->rightToLeft)
        return {qreal(m_indent), qreal(m_textTop)};
    // A right-to-left list item has its mark, and the room for it, at the right.
    return {qreal(rightShift), qreal(m_textTop)};
}

TextRange TextBlock::hit(QPointF point, int rightShift) const {
    const QPointF at = point - textOrigin(rightShift);
    const QTextLayout& layout = m_laid->layout;
    if (layout.lineCount() == 0 || !hasText(m_spec))
        return {m_spec.textBegin, m_spec.textBegin};
    int index = layout.lineCount() - 1;
    while (index > 0 && at.y() < layout.lineAt(index).y())
        --index;
    const QTextLine line = layout.lineAt(index);
    int cursor = line.xToCursor(at.x());
    const int end = line.textStart() + line.textLength();
    // Behind a line's end means before the break, not at the head of the next line.
    if (index + 1 < layout.lineCount() && cursor >= end && end > line.textStart())
        cursor = end - (layout.text().at(end - 1) == QChar::LineSeparator ? 1 : 0);
    return {m_laid->shown.toSourceBegin(cursor), m_laid->shown.toSourceEnd(cursor)};
}

TextRange TextBlock::wordAt(int sourceOffset) const {
    const QString& text = m_laid->shown.text();
    if (text.isEmpty())
        return {sourceOffset, sourceOffset};
    const int at = qBound(0, m_laid->shown.toShown(sourceOffset), int(text.size()) - 1);
    QTextBoundaryFinder finder(QTextBoundaryFinder::Word, text);
    finder.setPosition(at);
    const qsizetype begin = finder.isAtBoundary() ? at : finder.toPreviousBoundary();
    finder.setPosition(at);
    const qsizetype end = finder.toNextBoundary();
    return {m_laid->shown.toSourceBegin(int(qMax<qsizetype>(begin, 0))),
            m_laid->shown.toSourceEnd(int(end < 0 ? text.size() : end))};
}

QRectF TextBlock::caretRect(int sourceOffset, int rightShift) const {
    const QTextLayout& layout = m_laid->layout;
    const QPointF origin = textOrigin(rightShift);
    const int at = qBound(0, m_laid->shown.toShown(sourceOffset), int(layout.text().size()));
    const QTextLine line = layout.lineForTextPosition(at);
    if (!line.isValid())
        return {origin, QSizeF(1, m_lineHeight)};
    return {origin.x() + line.cursorToX(at), origin.y() + line.y(), 1, line.height()};
}

TextRange TextBlock::withMarks(TextRange range) const {
    TextRange wide = range;
    for (const ShownText::Run& run : m_laid->shown.runs()) {
        const int inner = m_laid->shown.toSourceBegin(run.begin);
        const int innerEnd = m_laid->shown.toSourceEnd(run.end);
        if (range.begin == inner && range.end > innerEnd)
            wide.begin = qMin(wide.begin, run.source.begin);
        if (range.end == innerEnd && range.begin < inner)
            wide.end = qMax(wide.end, run.source.end);
    }
    return wide;
}

QRectF TextBlock::copyRect(const ChatMetrics& metrics) const {
    if (m_spec.kind != BlockKind::Code || !m_spec.first)
        return {};
    const qreal width = QFontMetricsF(metrics.small).horizontalAdvance(QStringLiteral("Copied"));
    const qreal full = width + 2 * metrics.codePad;
    return {m_width - full, 0, full, qreal(metrics.codeHeader)};
}

/// Where characters [from, to) of the drawn text are, line by line; right-to-left parts included.
/// `wholeLines`: as high as the line's share of the block.
std::vector<QRectF> TextBlock::rects(int from, int to, bool wholeLines) const {
    std::vector<QRectF> found;
    const QTextLayout& layout = m_laid->layout;
    qreal top = 0;
    for (int i = 0; i < layout.lineCount(); ++i) {
        const QTextLine line = layout.lineAt(i);
        const qreal height = qMax<qreal>(m_lineHeight, std::ceil(line.height()));
        const int begin = qMax(from, line.textStart());
        const int end = qMin(to, line.textStart() + line.textLength());
        const qreal y = wholeLines ? top : line.y();
        const qreal h = wholeLines ? height : line.height();
        top += height;
        if (begin >= end)
            continue;
        const auto spans = spansOf(line, layout.text(), begin, end);
        for (const auto& [left, right] : spans)
            found.push_back({left, y, right - left, h});
    }
    return found;
}

} // namespace sotto::ui
