// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/style_paint.h"
#include "ui/theme/style_parts.h"

#include <algorithm>

namespace sotto::ui {
namespace {

constexpr qreal kArrows = 20; // width of the part with the chevrons
constexpr qreal kChevron = 12;
constexpr qreal kTextInset = 6;
constexpr qreal kFieldHeight = 26;

bool enabled(const QStyleOption& option) {
    return option.state.testFlag(QStyle::State_Enabled);
}

QColor arrowColor(bool usable, bool hovered) {
    return color(!usable ? Role::Disabled : hovered ? Role::Ink : Role::Muted);
}

} // namespace

void drawField(const QStyleOption& option, QPainter* painter, bool focused) {
    const QColor ground = color(enabled(option) ? Role::Card : Role::Page);
    if (focused && enabled(option))
        drawBox(painter, option.rect, px(kControlRadius), ground, color(Role::Focus), 2);
    else
        drawBox(painter, option.rect, px(kControlRadius), ground,
                color(enabled(option) ? Role::ControlLine : Role::Line));
}

void drawSpinBox(const QStyleOptionSpinBox& option, QPainter* painter) {
    if (option.frame)
        drawField(option, painter, option.state.testFlag(QStyle::State_HasFocus));
    if (option.buttonSymbols == QAbstractSpinBox::NoButtons)
        return;
    const auto arrow = [&](QStyle::SubControl part, QAbstractSpinBox::StepEnabledFlag step,
                           Icon icon) {
        const bool usable = enabled(option) && option.stepEnabled.testFlag(step);
        const bool hovered =
            option.state.testFlag(QStyle::State_MouseOver) && (option.activeSubControls & part);
        drawIcon(painter, spinBoxPart(option, part), icon, px(kChevron),
                 arrowColor(usable, hovered));
    };
    arrow(QStyle::SC_SpinBoxUp, QAbstractSpinBox::StepUpEnabled, Icon::ChevronUp);
    arrow(QStyle::SC_SpinBoxDown, QAbstractSpinBox::StepDownEnabled, Icon::ChevronDown);
}

QRect spinBoxPart(const QStyleOptionSpinBox& option, QStyle::SubControl part) {
    const QRect all = option.rect;
    const int arrows = option.buttonSymbols == QAbstractSpinBox::NoButtons ? 0 : px(kArrows);
    const int frame = option.frame ? 2 : 0, half = all.height() / 2;
    QRect rect;
    switch (part) {
    case QStyle::SC_SpinBoxFrame:
        return all;
    case QStyle::SC_SpinBoxEditField:
        rect = all.adjusted(frame + px(kTextInset), frame, -arrows - (arrows ? 0 : px(kTextInset)),
                            -frame);
        break;
    case QStyle::SC_SpinBoxUp:
        rect = QRect(all.right() + 1 - arrows, all.top() + frame, arrows - frame, half - frame);
        break;
    case QStyle::SC_SpinBoxDown:
        rect = QRect(all.right() + 1 - arrows, all.top() + half, arrows - frame, half - frame);
        break;
    default:
        return {};
    }
    if (part != QStyle::SC_SpinBoxEditField && !arrows)
        return {};
    return QStyle::visualRect(option.direction, all, rect);
}

void drawComboBox(const QStyleOptionComboBox& option, QPainter* painter) {
    const bool hovered = option.state.testFlag(QStyle::State_MouseOver);
    const bool focused =
        option.editable ? option.state.testFlag(QStyle::State_HasFocus) : focusVisible(option);
    if (option.frame)
        drawField(option, painter, focused);
    drawIcon(painter, comboBoxPart(option, QStyle::SC_ComboBoxArrow), Icon::ChevronDown,
             px(kChevron), arrowColor(enabled(option), hovered));
}

QRect comboBoxPart(const QStyleOptionComboBox& option, QStyle::SubControl part) {
    const QRect all = option.rect;
    const int frame = option.frame ? 2 : 0;
    QRect rect;
    switch (part) {
    case QStyle::SC_ComboBoxFrame:
    case QStyle::SC_ComboBoxListBoxPopup:
        return all;
    case QStyle::SC_ComboBoxEditField:
        rect = all.adjusted(frame + px(kTextInset), frame, -px(kArrows), -frame);
        break;
    case QStyle::SC_ComboBoxArrow:
        rect = QRect(all.right() + 1 - px(kArrows), all.top(), px(kArrows) - frame, all.height());
        break;
    default:
        return {};
    }
    return QStyle::visualRect(option.direction, all, rect);
}

QSize fieldSize(const QSize& contents) {
    return {contents.width() + 2 * (px(kTextInset) + 2),
            std::max(contents.height() + 6, px(kFieldHeight))};
}

} // namespace sotto::ui
