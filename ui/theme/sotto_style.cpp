// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/sotto_style.h"

#include "ui/theme/style_paint.h"
#include "ui/theme/style_parts.h"

#include <QtWidgets/QAbstractButton>
#include <QtWidgets/QAbstractItemView>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QScrollBar>
#include <QtWidgets/QSlider>
#include <QtWidgets/QTabBar>

namespace sotto::ui {

SottoStyle::SottoStyle() : QProxyStyle(QStringLiteral("Fusion")) {}

void SottoStyle::polish(QWidget* widget) {
    QProxyStyle::polish(widget);
    if (qobject_cast<QScrollBar*>(widget)) // where it stands alone, what is behind it shows
        widget->setAttribute(Qt::WA_OpaquePaintEvent, false);
    if (qobject_cast<QAbstractButton*>(widget) || qobject_cast<QSlider*>(widget) ||
        qobject_cast<QScrollBar*>(widget) || qobject_cast<QTabBar*>(widget) ||
        qobject_cast<QComboBox*>(widget))
        widget->setAttribute(Qt::WA_Hover);
}

void SottoStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option,
                               QPainter* painter, const QWidget* widget) const {
    switch (element) {
    case PE_PanelLineEdit:
        if (const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
            frame && frame->lineWidth > 0)
            drawField(*option, painter, option->state.testFlag(State_HasFocus));
        return;
    case PE_FrameLineEdit:
        return; // drawn with its ground
    case PE_FrameTabBarBase:
        if (const auto* base = qstyleoption_cast<const QStyleOptionTabBarBase*>(option))
            drawTabBase(*base, painter, widget);
        return;
    case PE_PanelButtonTool:
    case PE_FrameButtonTool:
        drawToolButtonPanel(*option, painter);
        return;
    case PE_IndicatorCheckBox:
    case PE_IndicatorItemViewItemCheck:
        drawCheckBox(*option, painter);
        return;
    case PE_IndicatorRadioButton:
        drawRadioButton(*option, painter);
        return;
    case PE_FrameFocusRect:
        if (option->state.testFlag(State_KeyboardFocusChange))
            drawFocusRing(painter, option->rect, px(4));
        return;
    case PE_PanelMenuBar:
        drawMenuBarPanel(*option, painter);
        return;
    case PE_PanelMenu:
        drawMenuPanel(*option, painter);
        return;
    case PE_FrameMenu:
    case PE_FrameStatusBarItem:
        return;
    case PE_FrameDockWidget:
        drawBox(painter, option->rect, 0, {}, color(Role::ControlLine));
        return;
    case PE_PanelStatusBar:
        drawStatusBar(*option, painter);
        return;
    case PE_PanelTipLabel:
        drawTipPanel(*option, painter);
        return;
    case PE_IndicatorDockWidgetResizeHandle:
        drawDockSeparator(*option, painter, widget);
        return;
    case PE_Frame:
        if (const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option))
            drawFrame(*frame, painter);
        return;
    case PE_PanelItemViewItem:
        if (const auto* item = qstyleoption_cast<const QStyleOptionViewItem*>(option))
            drawItemPanel(*item, painter);
        return;
    default:
        QProxyStyle::drawPrimitive(element, option, painter, widget);
    }
}

void SottoStyle::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                             const QWidget* widget) const {
    switch (element) {
    case CE_PushButtonBevel:
        if (const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option)) {
            drawPushButtonBevel(*button, painter);
            if (button->features.testFlag(QStyleOptionButton::HasMenu)) {
                const int room = px(20);
                drawIcon(painter,
                         QRectF(option->rect.right() + 1 - room, option->rect.top(), px(12),
                                option->rect.height()),
                         Icon::ChevronDown, px(12), color(Role::Muted));
            }
        }
        return;
    case CE_PushButtonLabel:
        if (const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option)) {
            const QStyleOptionButton label = pushButtonLabel(*button);
            painter->save();
            if (button->features.testFlag(QStyleOptionButton::DefaultButton))
                painter->setFont(strongFont(painter->font()));
            QProxyStyle::drawControl(element, &label, painter, widget);
            painter->restore();
        }
        return;
    case CE_TabBarTabShape:
        if (const auto* tab = qstyleoption_cast<const QStyleOptionTab*>(option))
            drawTabShape(*tab, painter);
        return;
    case CE_TabBarTabLabel:
        if (const auto* tab = qstyleoption_cast<const QStyleOptionTab*>(option)) {
            if (tab->shape == QTabBar::RoundedNorth || tab->shape == QTabBar::RoundedSouth)
                drawTabLabel(*tab, painter, subElementRect(SE_TabBarTabText, option, widget),
                             widget);
            else
                QProxyStyle::drawControl(element, option, painter, widget);
        }
        return;
    case CE_MenuBarItem:
        if (const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option))
            drawMenuBarItem(*item, painter, *proxy(), widget);
        return;
    case CE_MenuBarEmptyArea:
        painter->fillRect(option->rect, color(Role::Side));
        return;
    case CE_MenuItem:
        if (const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option))
            drawMenuItem(*item, painter, *proxy());
        return;
    case CE_ProgressBar:
        if (const auto* bar = qstyleoption_cast<const QStyleOptionProgressBar*>(option))
            drawProgressBar(*bar, painter);
        return;
    case CE_Splitter:
        drawSplitter(*option, painter);
        return;
    case CE_DockWidgetTitle:
        if (const auto* dock = qstyleoption_cast<const QStyleOptionDockWidget*>(option))
            drawDockTitle(*dock, painter, *proxy());
        return;
    case CE_SizeGrip:
        return;
    default:
        QProxyStyle::drawControl(element, option, painter, widget);
    }
}

void SottoStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
                                    QPainter* painter, const QWidget* widget) const {
    if (const auto* slider = qstyleoption_cast<const QStyleOptionSlider*>(option)) {
        if (control == CC_Slider)
            return drawSlider(*slider, painter);
        if (control == CC_ScrollBar)
            return drawScrollBar(*slider, painter, widget);
    }
    if (const auto* spin = qstyleoption_cast<const QStyleOptionSpinBox*>(option))
        return drawSpinBox(*spin, painter);
    if (const auto* combo = qstyleoption_cast<const QStyleOptionComboBox*>(option))
        return drawComboBox(*combo, painter);
    QProxyStyle::drawComplexControl(control, option, painter, widget);
}

} // namespace sotto::ui
