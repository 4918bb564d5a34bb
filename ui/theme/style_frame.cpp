// SPDX-License-Identifier: Apache-2.0
// Lines, grounds and bars that are not controls.
#include "ui/theme/style_paint.h"
#include "ui/theme/style_parts.h"

#include <QtWidgets/QAbstractItemView>
#include <QtWidgets/QWidget>

#include <algorithm>

namespace sotto::ui {
namespace {

constexpr qreal kBar = 4; // thickness of a progress bar

} // namespace

void drawProgressBar(const QStyleOptionProgressBar& option, QPainter* painter) {
    const bool horizontal = option.state.testFlag(QStyle::State_Horizontal);
    QRectF groove = option.rect; // thin, whatever room a layout gives it
    if (horizontal && groove.height() > px(kBar))
        groove =
            QRectF(groove.left(), groove.center().y() - px(kBar) / 2.0, groove.width(), px(kBar));
    else if (!horizontal && groove.width() > px(kBar))
        groove =
            QRectF(groove.center().x() - px(kBar) / 2.0, groove.top(), px(kBar), groove.height());
    const qreal radius = std::min(groove.width(), groove.height()) / 2;
    drawBox(painter, groove, radius, color(Role::Groove));
    const qint64 range = qint64(option.maximum) - option.minimum;
    if (range <= 0) { // how far is not known: the whole bar in the second tone, without motion
        drawBox(painter, groove, radius, color(Role::AccentMid));
        return;
    }
    const qreal done =
        std::clamp(qreal(qint64(option.progress) - option.minimum) / qreal(range), 0.0, 1.0);
    if (done <= 0)
        return;
    const bool fromEnd =
        option.invertedAppearance != (horizontal && option.direction == Qt::RightToLeft);
    QRectF filled = groove;
    if (horizontal) {
        filled.setWidth(groove.width() * done);
        if (fromEnd)
            filled.moveRight(groove.right());
    } else {
        filled.setHeight(groove.height() * done);
        if (!fromEnd)
            filled.moveBottom(groove.bottom());
    }
    drawBox(painter, filled, radius, color(Role::Accent));
}

void drawSplitter(const QStyleOption& option, QPainter* painter) {
    QRectF line = option.rect;
    if (option.state.testFlag(QStyle::State_Horizontal))
        line = QRectF(line.center().x(), line.top(), 1, line.height());
    else
        line = QRectF(line.left(), line.center().y(), line.width(), 1);
    painter->fillRect(snapped(painter, line), color(Role::Line));
}

/// A line towards the page; the rest of the handle, which is there to be grabbed, looks like the
/// side.
void drawDockSeparator(const QStyleOption& option, QPainter* painter, const QWidget* widget) {
    const bool vertical = option.rect.height() >= option.rect.width();
    QRectF line = option.rect;
    painter->fillRect(snapped(painter, line), color(Role::Side));
    if (vertical) {
        const bool rightSide = !widget || line.center().x() > widget->width() / 2.0;
        rightSide ? line.setWidth(1) : line.setLeft(line.right() - 1);
    } else {
        line.setHeight(1);
    }
    painter->fillRect(snapped(painter, line), color(Role::Line));
}

void drawDockTitle(const QStyleOptionDockWidget& option, QPainter* painter, const QStyle& style) {
    painter->fillRect(option.rect, color(Role::Side));
    const QRect text = style.subElementRect(QStyle::SE_DockWidgetTitleBarText, &option);
    painter->setPen(color(Role::Ink));
    painter->drawText(text, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine, option.title);
}

void drawStatusBar(const QStyleOption& option, QPainter* painter) {
    painter->fillRect(option.rect, color(Role::Side));
    QRectF line = option.rect;
    line.setHeight(1);
    painter->fillRect(snapped(painter, line), color(Role::Line));
}

void drawTipPanel(const QStyleOption& option, QPainter* painter) {
    drawBox(painter, option.rect, 0, color(Role::Card), color(Role::ControlLine));
}

void drawFrame(const QStyleOptionFrame& option, QPainter* painter) {
    if (option.lineWidth <= 0)
        return;
    const bool focused = option.state.testFlag(QStyle::State_HasFocus);
    drawBox(painter, option.rect, px(4), {}, color(focused ? Role::Focus : Role::Line),
            focused ? 2 : 1);
}

void drawItemPanel(const QStyleOptionViewItem& option, QPainter* painter) {
    if (option.backgroundBrush.style() != Qt::NoBrush)
        painter->fillRect(option.rect, option.backgroundBrush);
    if (option.state.testFlag(QStyle::State_Selected))
        drawBox(painter, option.rect, px(4), color(Role::Selection));
    else if (option.state.testFlag(QStyle::State_MouseOver) &&
             option.state.testFlag(QStyle::State_Enabled))
        drawBox(painter, option.rect, px(4), color(Role::Hover));
}

} // namespace sotto::ui
