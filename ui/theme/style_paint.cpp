// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/style_paint.h"

#include "ui/theme/theme.h"

#include <QtWidgets/QStyle>
#include <QtWidgets/QStyleOption>

#include <algorithm>
#include <cmath>

namespace sotto::ui {
namespace {

bool onGrid(const QTransform& transform) {
    return transform.type() <= QTransform::TxScale;
}

} // namespace

QRectF snapped(const QPainter* painter, const QRectF& rect) {
    const QTransform device = painter->deviceTransform();
    if (!onGrid(device))
        return rect;
    const QRectF mapped = device.mapRect(rect);
    const QPointF topLeft(std::round(mapped.left()), std::round(mapped.top()));
    const QPointF bottomRight(std::round(mapped.right()), std::round(mapped.bottom()));
    return device.inverted().mapRect(QRectF(topLeft, bottomRight));
}

qreal snappedWidth(const QPainter* painter, qreal width) {
    const QTransform device = painter->deviceTransform();
    if (!onGrid(device) || device.m11() == 0)
        return width;
    const qreal scale = std::abs(device.m11());
    return std::max<qreal>(1, std::round(width * scale)) / scale;
}

void drawBox(QPainter* painter, const QRectF& rect, qreal radius, const QColor& ground,
             const QColor& line, qreal lineWidth) {
    QRectF box = snapped(painter, rect);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing, radius > 0);
    painter->setBrush(ground.isValid() ? QBrush(ground) : QBrush(Qt::NoBrush));
    painter->setPen(Qt::NoPen);
    if (line.isValid()) {
        const qreal width = snappedWidth(painter, lineWidth);
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(QPen(line, width, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
        box.adjust(width / 2, width / 2, -width / 2, -width / 2);
        radius -= width / 2;
    }
    const qreal most = std::min({radius, box.width() / 2, box.height() / 2});
    if (most > 0)
        painter->drawRoundedRect(box, most, most);
    else
        painter->drawRect(box);
    painter->restore();
}

void drawIcon(QPainter* painter, const QRectF& rect, Icon icon, int size, const QColor& tint) {
    const qreal dpr = painter->device()->devicePixelRatio();
    const QPixmap pixmap = iconPixmap(icon, size, dpr, tint);
    const QPointF corner = rect.center() - QPointF(size, size) / 2;
    painter->drawPixmap(snapped(painter, QRectF(corner, QSizeF(size, size))).topLeft(), pixmap);
}

void drawFocusRing(QPainter* painter, const QRectF& rect, qreal radius) {
    drawBox(painter, rect, radius, {}, color(Role::Focus), 2);
}

bool focusVisible(const QStyleOption& option) {
    return option.state.testFlag(QStyle::State_HasFocus) &&
           option.state.testFlag(QStyle::State_KeyboardFocusChange);
}

QFont strongFont(QFont font) {
    font.setWeight(QFont::DemiBold);
    return font;
}

QColor color(Role role) {
    return Theme::instance().color(role);
}
int px(qreal length) {
    return Theme::instance().px(length);
}

} // namespace sotto::ui
