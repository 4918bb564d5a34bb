// SPDX-License-Identifier: Apache-2.0
// What SottoStyle hands on: a header for all style_*.cpp.
#pragma once

#include <QtCore/QRect>
#include <QtCore/QSize>
#include <QtWidgets/QStyle>
#include <QtWidgets/QStyleOption>

class QPainter;
class QWidget;

namespace sotto::ui {

inline bool isHorizontal(const QStyleOptionSlider& option) {
    return option.orientation == Qt::Horizontal;
}

// style_slider.cpp
void drawSlider(const QStyleOptionSlider& option, QPainter* painter);
QRect sliderPart(const QStyleOptionSlider& option, QStyle::SubControl part);

// style_scroll_bar.cpp
void drawScrollBar(const QStyleOptionSlider& option, QPainter* painter, const QWidget* widget);
QRect scrollBarPart(const QStyleOptionSlider& option, QStyle::SubControl part);

// style_tab.cpp
void drawTabShape(const QStyleOptionTab& option, QPainter* painter);
void drawTabLabel(const QStyleOptionTab& option, QPainter* painter, const QRect& textRect,
                  const QWidget* widget);
void drawTabBase(const QStyleOptionTabBarBase& option, QPainter* painter, const QWidget* widget);
QSize tabSize(const QStyleOptionTab& option, const QSize& contents, const QWidget* widget);

// style_button.cpp
void drawPushButtonBevel(const QStyleOptionButton& option, QPainter* painter);
/// The option with the text colour and weight that belong to its bevel.
QStyleOptionButton pushButtonLabel(const QStyleOptionButton& option);
QSize pushButtonSize(const QStyleOptionButton& option, const QSize& contents);
void drawToolButtonPanel(const QStyleOption& option, QPainter* painter);

// style_field.cpp
void drawField(const QStyleOption& option, QPainter* painter, bool focused);
void drawSpinBox(const QStyleOptionSpinBox& option, QPainter* painter);
QRect spinBoxPart(const QStyleOptionSpinBox& option, QStyle::SubControl part);
void drawComboBox(const QStyleOptionComboBox& option, QPainter* painter);
QRect comboBoxPart(const QStyleOptionComboBox& option, QStyle::SubControl part);
QSize fieldSize(const QSize& contents);

// style_check.cpp
void drawCheckBox(const QStyleOption& option, QPainter* painter);
void drawRadioButton(const QStyleOption& option, QPainter* painter);

// style_menu.cpp
void drawMenuBarItem(const QStyleOptionMenuItem& option, QPainter* painter, const QStyle& style,
                     const QWidget* widget);
void drawMenuBarPanel(const QStyleOption& option, QPainter* painter);
void drawMenuPanel(const QStyleOption& option, QPainter* painter);
void drawMenuItem(const QStyleOptionMenuItem& option, QPainter* painter, const QStyle& style);
QSize menuItemSize(const QStyleOptionMenuItem& option, const QSize& contents);
QSize menuBarItemSize(const QSize& contents);

// style_frame.cpp
void drawProgressBar(const QStyleOptionProgressBar& option, QPainter* painter);
void drawSplitter(const QStyleOption& option, QPainter* painter);
void drawDockSeparator(const QStyleOption& option, QPainter* painter, const QWidget* widget);
void drawDockTitle(const QStyleOptionDockWidget& option, QPainter* painter, const QStyle& style);
void drawStatusBar(const QStyleOption& option, QPainter* painter);
void drawTipPanel(const QStyleOption& option, QPainter* painter);
void drawFrame(const QStyleOptionFrame& option, QPainter* painter);
void drawItemPanel(const QStyleOptionViewItem& option, QPainter* painter);

} // namespace sotto::ui
