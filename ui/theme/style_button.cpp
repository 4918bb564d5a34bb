// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/style_paint.h"
#include "ui/theme/style_parts.h"

#include <algorithm>

namespace sotto::ui {
namespace {

constexpr qreal kPaddingX = 14, kPaddingY = 6, kButtonHeight = 28;

bool isFilled(const QStyleOptionButton& option) {
    return option.features.testFlag(QStyleOptionButton::DefaultButton) &&
           option.state.testFlag(QStyle::State_Enabled);
}

QColor groundOf(const QStyleOptionButton& option) {
    const bool down = option.state.testFlag(QStyle::State_Sunken);
    const bool hovered = option.state.testFlag(QStyle::State_MouseOver);
    if (isFilled(option))
        return color(down || hovered ? Role::AccentHover : Role::Accent);
    if (!option.state.testFlag(QStyle::State_Enabled))
        return {};
    if (option.state.testFlag(QStyle::State_On))
        return color(Role::AccentGround);
    if (down)
        return color(Role::Pressed);
    if (hovered)
        return color(Role::Hover);
    return option.features.testFlag(QStyleOptionButton::Flat) ? QColor() : color(Role::Card);
}

} // namespace

void drawPushButtonBevel(const QStyleOptionButton& option, QPainter* painter) {
    const bool flat = option.features.testFlag(QStyleOptionButton::Flat);
    const bool enabled = option.state.testFlag(QStyle::State_Enabled);
    const bool filled = isFilled(option);
    const QColor line = filled || flat ? QColor() : color(enabled ? Role::ControlLine : Role::Line);
    const QRectF rect = option.rect;
    drawBox(painter, rect, px(kControlRadius), groundOf(option), line);
    if (!focusVisible(option))
        return;
    if (filled) { // on the accent itself the ring must stand inside, in the text's colour
        const qreal in = px(3);
        drawBox(painter, rect.adjusted(in, in, -in, -in), px(kControlRadius) - in, {},
                color(Role::OnAccent), 2);
    } else {
        drawFocusRing(painter, rect, px(kControlRadius));
    }
}

QStyleOptionButton pushButtonLabel(const QStyleOptionButton& option) {
    QStyleOptionButton label = option;
    if (isFilled(option))
        label.palette.setColor(QPalette::ButtonText, color(Role::OnAccent));
    else if (option.state.testFlag(QStyle::State_On) &&
             option.state.testFlag(QStyle::State_Enabled))
        label.palette.setColor(QPalette::ButtonText, color(Role::Accent));
    label.state &= ~(QStyle::State_HasFocus | QStyle::State_Sunken); // no shift, no second ring
    return label;
}

QSize pushButtonSize(const QStyleOptionButton& option, const QSize& contents) {
    QSize size = contents + QSize(px(kPaddingX) * 2, px(kPaddingY) * 2);
    if (option.text.isEmpty())
        size.setWidth(contents.width() + px(kPaddingY) * 2);
    if (option.features.testFlag(QStyleOptionButton::HasMenu))
        size.rwidth() += px(16);
    size.setHeight(std::max(size.height(), px(kButtonHeight)));
    return size;
}

void drawToolButtonPanel(const QStyleOption& option, QPainter* painter) {
    const auto state = option.state;
    QColor ground;
    if (state.testFlag(QStyle::State_Enabled)) {
        if (state.testFlag(QStyle::State_Sunken))
            ground = color(Role::Pressed);
        else if (state.testFlag(QStyle::State_On))
            ground = color(Role::AccentGround);
        else if (state.testFlag(QStyle::State_MouseOver))
            ground = color(Role::Hover);
    }
    if (ground.isValid())
        drawBox(painter, option.rect, px(kControlRadius), ground);
    if (focusVisible(option))
        drawFocusRing(painter, option.rect, px(kControlRadius));
}

} // namespace sotto::ui
