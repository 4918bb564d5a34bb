// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtWidgets/QProxyStyle>

namespace sotto::ui {

/// Flat controls over Fusion: sizes and painting of what the window shows; the rest is Fusion with
/// our palette. Colours and zoom come from Theme. The painting is in style_*.cpp, a file for each
/// group of controls.
class SottoStyle final : public QProxyStyle {
    Q_OBJECT
  public:
    SottoStyle();

    void polish(QWidget* widget) override;
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override;
    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
                            QPainter* painter, const QWidget* widget) const override;
    QRect subElementRect(SubElement element, const QStyleOption* option,
                         const QWidget* widget) const override;
    QRect subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
                         const QWidget* widget) const override;
    QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& contents,
                           const QWidget* widget) const override;
    int pixelMetric(PixelMetric metric, const QStyleOption* option,
                    const QWidget* widget) const override;
    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                  QStyleHintReturn* data) const override;
    QIcon standardIcon(StandardPixmap pixmap, const QStyleOption* option,
                       const QWidget* widget) const override;

    using QProxyStyle::polish;
};

} // namespace sotto::ui
