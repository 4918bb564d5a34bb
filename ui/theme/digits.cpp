// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/digits.h"

#include <QtGui/QPaintEvent>
#include <QtGui/QPainter>
#include <QtWidgets/QStyle>

#include <algorithm>
#include <cmath>

namespace sotto::ui {
namespace {

qreal digitCell(const QFontMetricsF& metrics) {
    qreal widest = 0;
    for (char digit = '0'; digit <= '9'; ++digit)
        widest = std::max(widest, metrics.horizontalAdvance(QLatin1Char(digit)));
    return widest;
}

bool isCell(QChar c) {
    return c >= QLatin1Char('0') && c <= QLatin1Char('9');
}

/// Calls visit(text, width, isDigit) for each digit and for each stretch of other characters.
template <class Visit>
void eachPiece(const QFontMetricsF& metrics, const QString& text, Visit visit) {
    const qreal cell = digitCell(metrics);
    for (qsizetype i = 0; i < text.size();) {
        if (isCell(text[i])) {
            visit(text.mid(i, 1), cell, true);
            ++i;
            continue;
        }
        qsizetype end = i;
        while (end < text.size() && !isCell(text[end]))
            ++end;
        const QString other = text.mid(i, end - i);
        visit(other, metrics.horizontalAdvance(other), false);
        i = end;
    }
}

} // namespace

qreal digitsWidth(const QFontMetricsF& metrics, const QString& text) {
    qreal width = 0;
    eachPiece(metrics, text, [&](const QString&, qreal piece, bool) { width += piece; });
    return width;
}

qreal paintDigits(QPainter* painter, const QPointF& baseline, const QString& text) {
    const QFontMetricsF metrics(painter->font(), painter->device());
    qreal x = 0;
    eachPiece(metrics, text, [&](const QString& piece, qreal width, bool digit) {
        const qreal inset = digit ? (width - metrics.horizontalAdvance(piece)) / 2 : 0;
        painter->drawText(baseline + QPointF(x + inset, 0), piece);
        x += width;
    });
    return x;
}

NumberLabel::NumberLabel(QWidget* parent, Qt::Alignment alignment)
    : QWidget(parent), m_alignment(alignment) {
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void NumberLabel::setText(const QString& text) {
    if (text == m_text)
        return;
    const QSize before = sizeHint();
    m_text = text;
    setAccessibleDescription(text);
    if (sizeHint() != before)
        updateGeometry();
    update();
}

void NumberLabel::setRole(Role role) {
    m_role = role;
    update();
}

void NumberLabel::setFontRole(FontRole role) {
    useFont(this, role);
}

void NumberLabel::setWidest(const QString& text) {
    m_widest = text;
    updateGeometry();
}

QSize NumberLabel::sizeHint() const {
    const QFontMetricsF metrics(font());
    const qreal width = std::max(digitsWidth(metrics, m_text), digitsWidth(metrics, m_widest));
    return {static_cast<int>(std::ceil(width)), static_cast<int>(std::ceil(metrics.height()))};
}

void NumberLabel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const QFontMetricsF metrics(font(), this);
    const auto aligned = QStyle::visualAlignment(layoutDirection(), m_alignment);
    const qreal free = width() - digitsWidth(metrics, m_text);
    qreal x = 0;
    if (aligned & Qt::AlignRight)
        x = free;
    else if (aligned & Qt::AlignHCenter)
        x = free / 2;
    const qreal baseline = (height() - metrics.height()) / 2 + metrics.ascent();
    painter.setPen(Theme::instance().color(isEnabled() ? m_role : Role::Disabled));
    paintDigits(&painter, {x, baseline}, m_text);
}

} // namespace sotto::ui
