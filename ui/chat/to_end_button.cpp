// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/to_end_button.h"

#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

#include <QtGui/QPainter>

namespace sotto::ui {

ToEndButton::ToEndButton(QWidget* parent) : QAbstractButton(parent) {
    setObjectName(QStringLiteral("toEnd"));
    setText(tr("To the end"));
    setToolTip(tr("To the end (End)"));
    setCursor(Qt::PointingHandCursor);
    setAttribute(Qt::WA_Hover);
    setFocusPolicy(Qt::TabFocus);
}

QSize ToEndButton::sizeHint() const {
    const int size = Theme::instance().px(32);
    return {size, size};
}

void ToEndButton::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::instance();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF circle = QRectF(rect()).adjusted(1, 1, -1, -1);
    painter.setBrush(theme.color(Role::Card));
    painter.setPen(
        QPen(theme.color(hasFocus() ? Role::Focus : Role::ControlLine), hasFocus() ? 2 : 1));
    painter.drawEllipse(circle);
    if (underMouse()) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.color(isDown() ? Role::Pressed : Role::Hover));
        painter.drawEllipse(circle.adjusted(1, 1, -1, -1));
    }
    const int size = theme.px(16);
    painter.drawPixmap(
        (width() - size) / 2, (height() - size) / 2,
        iconPixmap(Icon::ChevronDown, size, devicePixelRatioF(), theme.color(Role::Ink)));
}

} // namespace sotto::ui
