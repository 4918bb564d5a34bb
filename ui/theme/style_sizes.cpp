// SPDX-License-Identifier: Apache-2.0
// The sizes and habits of SottoStyle. Lengths are those of the design, zoomed by px().
#include "ui/theme/icons.h"
#include "ui/theme/sotto_style.h"
#include "ui/theme/style_paint.h"
#include "ui/theme/style_parts.h"

#include <QtGui/QGuiApplication>
#include <QtWidgets/QMenuBar>

#include <algorithm>
#include <optional>

namespace sotto::ui {
namespace {

constexpr qreal kFieldInset = 6;
constexpr qreal kBar = 4; // thickness of a progress bar

/// Invalid: Fusion knows.
std::optional<int> length(QStyle::PixelMetric metric) {
    switch (metric) {
    case QStyle::PM_SliderThickness:
    case QStyle::PM_SliderControlThickness:
        return px(24); // the handle and the focus ring round it
    case QStyle::PM_SliderLength:
        return px(18);
    case QStyle::PM_ScrollBarExtent:
        return px(12);
    case QStyle::PM_ScrollBarSliderMin:
        return px(28);
    case QStyle::PM_TabBarTabHSpace:
    case QStyle::PM_TabBarTabVSpace:
        return px(24);
    case QStyle::PM_TabBarBaseOverlap:
    case QStyle::PM_TabBarBaseHeight:
    case QStyle::PM_MenuBarPanelWidth:
        return 1;
    case QStyle::PM_TabBarTabOverlap:
    case QStyle::PM_TabBarTabShiftHorizontal:
    case QStyle::PM_TabBarTabShiftVertical:
    case QStyle::PM_ButtonShiftHorizontal:
    case QStyle::PM_ButtonShiftVertical:
    case QStyle::PM_MenuBarItemSpacing:
    case QStyle::PM_MenuBarVMargin:
    case QStyle::PM_ScrollView_ScrollBarSpacing:
    case QStyle::PM_DockWidgetTitleBarButtonMargin:
        return 0;
    case QStyle::PM_MenuBarHMargin:
    case QStyle::PM_MenuHMargin:
    case QStyle::PM_MenuVMargin:
    case QStyle::PM_CheckBoxLabelSpacing:
    case QStyle::PM_RadioButtonLabelSpacing:
    case QStyle::PM_LayoutHorizontalSpacing:
    case QStyle::PM_LayoutVerticalSpacing:
    case QStyle::PM_ToolTipLabelFrameWidth:
        return px(metric == QStyle::PM_LayoutHorizontalSpacing ||
                          metric == QStyle::PM_LayoutVerticalSpacing ||
                          metric == QStyle::PM_CheckBoxLabelSpacing ||
                          metric == QStyle::PM_RadioButtonLabelSpacing
                      ? 8
                      : 4);
    case QStyle::PM_FocusFrameHMargin:
        return px(kFieldInset);
    case QStyle::PM_MenuPanelWidth:
        return 1;
    case QStyle::PM_IndicatorWidth:
    case QStyle::PM_IndicatorHeight:
    case QStyle::PM_ExclusiveIndicatorWidth:
    case QStyle::PM_ExclusiveIndicatorHeight:
    case QStyle::PM_SmallIconSize:
    case QStyle::PM_ButtonIconSize:
    case QStyle::PM_TabBarIconSize:
    case QStyle::PM_LineEditIconSize:
    case QStyle::PM_ToolBarIconSize:
        return px(16);
    case QStyle::PM_LayoutLeftMargin:
    case QStyle::PM_LayoutTopMargin:
    case QStyle::PM_LayoutRightMargin:
    case QStyle::PM_LayoutBottomMargin:
        return px(12);
    case QStyle::PM_SplitterWidth:
        return px(5);
    case QStyle::PM_DockWidgetSeparatorExtent:
        return px(3);
    case QStyle::PM_DockWidgetTitleMargin:
        return px(8);
    default:
        return {};
    }
}

} // namespace

int SottoStyle::pixelMetric(PixelMetric metric, const QStyleOption* option,
                            const QWidget* widget) const {
    if (const auto ours = length(metric))
        return *ours;
    return QProxyStyle::pixelMetric(metric, option, widget);
}

QSize SottoStyle::sizeFromContents(ContentsType type, const QStyleOption* option,
                                   const QSize& contents, const QWidget* widget) const {
    switch (type) {
    case CT_PushButton:
        if (const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option))
            return pushButtonSize(*button, contents);
        break;
    case CT_TabBarTab:
        if (const auto* tab = qstyleoption_cast<const QStyleOptionTab*>(option))
            return tabSize(*tab, contents, widget);
        break;
    case CT_LineEdit:
        if (const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
            frame && frame->lineWidth > 0)
            return fieldSize(contents);
        return contents;
    case CT_SpinBox:
        if (const auto* spin = qstyleoption_cast<const QStyleOptionSpinBox*>(option)) {
            const int arrows =
                spin->buttonSymbols == QAbstractSpinBox::NoButtons ? 0 : px(20) - px(kFieldInset);
            return fieldSize(contents) + QSize(arrows, 0);
        }
        break;
    case CT_ComboBox:
        return fieldSize(contents) + QSize(px(20), 0);
    case CT_MenuItem:
        if (const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option))
            return menuItemSize(*item, contents);
        break;
    case CT_MenuBarItem:
        return menuBarItemSize(contents);
    case CT_ProgressBar:
        if (const auto* bar = qstyleoption_cast<const QStyleOptionProgressBar*>(option))
            return bar->state.testFlag(State_Horizontal) ? QSize(contents.width(), px(kBar))
                                                         : QSize(px(kBar), contents.height());
        break;
    case CT_ItemViewItem: {
        const QSize fusion = QProxyStyle::sizeFromContents(type, option, contents, widget);
        return {fusion.width(), std::max(fusion.height(), px(26))};
    }
    case CT_ToolButton:
        return contents + QSize(px(10), px(8));
    default:
        break;
    }
    return QProxyStyle::sizeFromContents(type, option, contents, widget);
}

QRect SottoStyle::subElementRect(SubElement element, const QStyleOption* option,
                                 const QWidget* widget) const {
    switch (element) {
    case SE_LineEditContents:
        if (const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
            frame && frame->lineWidth > 0)
            return option->rect.adjusted(px(kFieldInset), 2, -px(kFieldInset), -2);
        return option->rect;
    case SE_ProgressBarGroove:
    case SE_ProgressBarContents:
        return option->rect;
    case SE_ProgressBarLabel:
        return {};
    default:
        return QProxyStyle::subElementRect(element, option, widget);
    }
}

QRect SottoStyle::subControlRect(ComplexControl control, const QStyleOptionComplex* option,
                                 SubControl part, const QWidget* widget) const {
    if (const auto* slider = qstyleoption_cast<const QStyleOptionSlider*>(option)) {
        if (control == CC_Slider)
            return sliderPart(*slider, part);
        if (control == CC_ScrollBar)
            return scrollBarPart(*slider, part);
    }
    if (const auto* spin = qstyleoption_cast<const QStyleOptionSpinBox*>(option))
        return spinBoxPart(*spin, part);
    if (const auto* combo = qstyleoption_cast<const QStyleOptionComboBox*>(option))
        return comboBoxPart(*combo, part);
    return QProxyStyle::subControlRect(control, option, part, widget);
}

int SottoStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                          QStyleHintReturn* data) const {
    switch (hint) {
    case SH_Slider_AbsoluteSetButtons: // a click in the groove goes there
        return Qt::LeftButton;
    case SH_Slider_PageSetButtons:
        return Qt::NoButton;
    case SH_ComboBox_Popup:
    case SH_Widget_Animate:
    case SH_Widget_Animation_Duration:
    case SH_ScrollView_FrameOnlyAroundContents:
    case SH_EtchDisabledText:
    case SH_DitherDisabledText:
        return 0;
    case SH_UnderlineShortcut:
        // A menu bar shows its letters when the keyboard is about to use them.
        if (qobject_cast<const QMenuBar*>(widget))
            return widget->hasFocus() || (QGuiApplication::keyboardModifiers() & Qt::AltModifier);
        return 1;
    case SH_TabBar_Alignment:
        return Qt::AlignLeft;
    case SH_TabBar_ElideMode:
        return Qt::ElideRight;
    case SH_ScrollBar_LeftClickAbsolutePosition:
        return 0;
    default:
        return QProxyStyle::styleHint(hint, option, widget, data);
    }
}

QIcon SottoStyle::standardIcon(StandardPixmap pixmap, const QStyleOption* option,
                               const QWidget* widget) const {
    switch (pixmap) {
    case SP_TitleBarCloseButton:
    case SP_DockWidgetCloseButton:
    case SP_LineEditClearButton:
        return icon(Icon::Close, Role::Muted);
    case SP_TitleBarNormalButton:
        return icon(Icon::Float, Role::Muted);
    case SP_DirOpenIcon:
    case SP_DirIcon:
        return icon(Icon::Folder, Role::Muted);
    default:
        return QProxyStyle::standardIcon(pixmap, option, widget);
    }
}

} // namespace sotto::ui
