// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/style_paint.h"
#include "ui/theme/style_parts.h"

namespace sotto::ui {
namespace {

constexpr qreal kGroove = 4;
constexpr qreal kHandle = 18; // PM_SliderLength says the same
constexpr qreal kRing = 2;    // the handle's edge
constexpr qreal kFocusGap = 1, kFocusRing = 2;

QRect middle(const QRect& rect, bool horizontal, int thickness) {
    QRect strip = rect;
    if (horizontal) {
        strip.setHeight(thickness);
        strip.moveTop(rect.top() + (rect.height() - thickness) / 2);
    } else {
        strip.setWidth(thickness);
        strip.moveLeft(rect.left() + (rect.width() - thickness) / 2);
    }
    return strip;
}

/// The part of the groove between the minimum's end and the handle.
QRectF filled(const QStyleOptionSlider& option, const QRectF& groove, const QPointF& handle) {
    QRectF part = groove;
    if (isHorizontal(option))
        option.upsideDown ? part.setLeft(handle.x()) : part.setRight(handle.x());
    else
        option.upsideDown ? part.setTop(handle.y()) : part.setBottom(handle.y());
    return part;
}

void drawHandle(const QStyleOptionSlider& option, QPainter* painter, const QRectF& handle) {
    const bool enabled = option.state.testFlag(QStyle::State_Enabled);
    const bool pressed = option.state.testFlag(QStyle::State_Sunken) &&
                         (option.activeSubControls & QStyle::SC_SliderHandle);
    const bool hovered = option.state.testFlag(QStyle::State_MouseOver);
    const QColor edge = !enabled             ? color(Role::Disabled)
                        : pressed || hovered ? color(Role::AccentHover)
                                             : color(Role::Accent);
    if (focusVisible(option)) {
        const qreal out = px(kFocusGap + kFocusRing);
        drawBox(painter, handle.adjusted(-out, -out, out, out), handle.width(), {},
                color(Role::Focus), px(kFocusRing));
    }
    drawBox(painter, handle, handle.width() / 2, pressed ? edge : color(Role::Card), edge,
            px(kRing));
}

} // namespace

QRect sliderPart(const QStyleOptionSlider& option, QStyle::SubControl part) {
    const bool horizontal = isHorizontal(option);
    if (part == QStyle::SC_SliderGroove) // what the mouse works on is as thick as the handle
        return middle(option.rect, horizontal, px(kHandle));
    if (part != QStyle::SC_SliderHandle)
        return {};
    const int length = px(kHandle);
    const int room = (horizontal ? option.rect.width() : option.rect.height()) - length;
    const int at = QStyle::sliderPositionFromValue(option.minimum, option.maximum,
                                                   option.sliderPosition, room, option.upsideDown);
    QRect handle = middle(option.rect, horizontal, length);
    horizontal ? handle.moveLeft(option.rect.left() + at) : handle.moveTop(option.rect.top() + at);
    handle.setSize({length, length});
    return handle;
}

void drawSlider(const QStyleOptionSlider& option, QPainter* painter) {
    const bool enabled = option.state.testFlag(QStyle::State_Enabled);
    const QRectF groove = middle(option.rect, isHorizontal(option), px(kGroove));
    const QRectF handle = sliderPart(option, QStyle::SC_SliderHandle);
    drawBox(painter, groove, px(kGroove) / 2.0, color(Role::Groove));
    drawBox(painter, filled(option, groove, handle.center()), px(kGroove) / 2.0,
            color(enabled ? Role::Accent : Role::Disabled));
    drawHandle(option, painter, handle);
}

} // namespace sotto::ui
