// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/theme/icons.h"
#include "ui/theme/roles.h"

#include <QtCore/QRectF>
#include <QtGui/QPainter>

class QStyleOption;

namespace sotto::ui {

/// The rectangle with its edges moved to the nearest device pixels, so that nothing is blurred
/// at 1.25 or 2.
[[nodiscard]] QRectF snapped(const QPainter* painter, const QRectF& rect);
/// A line width that is a whole number of device pixels, at least one.
[[nodiscard]] qreal snappedWidth(const QPainter* painter, qreal width);

/// A rounded box; invalid colours leave out ground or line. The line lies inside `rect`.
void drawBox(QPainter* painter, const QRectF& rect, qreal radius, const QColor& ground,
             const QColor& line = {}, qreal lineWidth = 1);
/// An icon in the middle of `rect`, `size` device-independent pixels.
void drawIcon(QPainter* painter, const QRectF& rect, Icon icon, int size, const QColor& color);
/// The ring round what has the keyboard.
void drawFocusRing(QPainter* painter, const QRectF& rect, qreal radius);

/// True where focus came by the keyboard: only then is a ring drawn on what is not a text field.
[[nodiscard]] bool focusVisible(const QStyleOption& option);

/// The weight of chosen tabs and of the default button.
[[nodiscard]] QFont strongFont(QFont font);

/// Short names for what every style_*.cpp needs from Theme.
[[nodiscard]] QColor color(Role role);
[[nodiscard]] int px(qreal length);
inline constexpr qreal kControlRadius = 6;

} // namespace sotto::ui
