// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/style_paint.h"
#include "ui/theme/style_parts.h"

namespace sotto::ui {
namespace {

struct Look {
    QColor ground, line, mark;
};

Look lookOf(const QStyleOption& option, bool chosen) {
    const bool enabled = option.state.testFlag(QStyle::State_Enabled);
    const bool hovered = option.state.testFlag(QStyle::State_MouseOver);
    if (!enabled)
        return {color(Role::Page), color(Role::Disabled), color(Role::Disabled)};
    if (chosen) {
        const QColor accent = color(hovered ? Role::AccentHover : Role::Accent);
        return {accent, accent, color(Role::OnAccent)};
    }
    return {color(Role::Card), color(hovered ? Role::Accent : Role::ControlLine), {}};
}

} // namespace

void drawCheckBox(const QStyleOption& option, QPainter* painter) {
    const bool on = option.state.testFlag(QStyle::State_On);
    const bool partial = option.state.testFlag(QStyle::State_NoChange);
    const Look look = lookOf(option, on || partial);
    const QRectF box = option.rect;
    drawBox(painter, box, px(4), look.ground, look.line);
    if (on)
        drawIcon(painter, box, Icon::Check, px(12), look.mark);
    if (partial) {
        const qreal in = box.width() / 4;
        drawBox(painter, QRectF(box.left() + in, box.center().y() - 1, box.width() - 2 * in, 2), 0,
                look.mark);
    }
}

void drawRadioButton(const QStyleOption& option, QPainter* painter) {
    const bool on = option.state.testFlag(QStyle::State_On);
    const Look look = lookOf(option, on);
    const QRectF ring = option.rect;
    drawBox(painter, ring, ring.width() / 2, look.ground, look.line);
    if (on) {
        const qreal in = ring.width() * 0.3125;
        drawBox(painter, ring.adjusted(in, in, -in, -in), ring.width(), look.mark);
    }
}

} // namespace sotto::ui
