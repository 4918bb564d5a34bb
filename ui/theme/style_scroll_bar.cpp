// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/style_paint.h"
#include "ui/theme/style_parts.h"

#include <QtGui/QPainter>
#include <QtWidgets/QAbstractScrollArea>

#include <algorithm>

namespace sotto::ui {
namespace {

constexpr qreal kThin = 6, kThick = 8, kInset = 2;
constexpr qreal kShortest = 28;

int handleLength(const QStyleOptionSlider& option, int length) {
    if (option.maximum <= option.minimum)
        return length;
    const qint64 range = static_cast<qint64>(option.maximum) - option.minimum;
    const qint64 step = std::max(option.pageStep, 1);
    const int fitting = static_cast<int>(step * length / (range + step));
    return std::clamp(fitting, std::min(px(kShortest), length), length);
}

/// The area that the bar scrolls: its bars stand in containers of its own. May be null.
const QAbstractScrollArea* areaOf(const QWidget* bar) {
    const QWidget* container = bar ? bar->parentWidget() : nullptr;
    return container ? qobject_cast<const QAbstractScrollArea*>(container->parentWidget())
                     : nullptr;
}

} // namespace

/// No arrows: the groove is the whole bar.
QRect scrollBarPart(const QStyleOptionSlider& option, QStyle::SubControl part) {
    const bool horizontal = isHorizontal(option);
    const QRect bar = option.rect;
    const int length = horizontal ? bar.width() : bar.height();
    const int handle = handleLength(option, length);
    const int start = QStyle::sliderPositionFromValue(
        option.minimum, option.maximum, option.sliderPosition, length - handle, option.upsideDown);
    const auto strip = [&](int from, int to) {
        const QRect along = horizontal
                                ? QRect(bar.left() + from, bar.top(), to - from, bar.height())
                                : QRect(bar.left(), bar.top() + from, bar.width(), to - from);
        return QStyle::visualRect(option.direction, bar, along);
    };
    switch (part) {
    case QStyle::SC_ScrollBarGroove:
        return bar;
    case QStyle::SC_ScrollBarSlider:
        return strip(start, start + handle);
    case QStyle::SC_ScrollBarSubPage:
        return strip(0, start);
    case QStyle::SC_ScrollBarAddPage:
        return strip(start + handle, length);
    default:
        return {};
    }
}

void drawScrollBar(const QStyleOptionSlider& option, QPainter* painter, const QWidget* widget) {
    if (const QAbstractScrollArea* area = areaOf(widget)) {
        const QWidget* page = area->viewport();
        painter->fillRect(option.rect, page->palette().color(page->backgroundRole()));
    }
    if (option.maximum <= option.minimum)
        return;
    const bool active =
        option.state.testFlag(QStyle::State_MouseOver) || (option.state & QStyle::State_Sunken);
    const QRect slider = scrollBarPart(option, QStyle::SC_ScrollBarSlider);
    const int thickness = px(active ? kThick : kThin), inset = px(kInset);
    QRect handle = slider;
    if (isHorizontal(option)) {
        handle.adjust(inset, 0, -inset, 0);
        handle.setTop(slider.bottom() + 1 - inset - thickness);
        handle.setHeight(thickness);
    } else {
        handle.adjust(0, inset, 0, -inset);
        handle.setLeft(slider.right() + 1 - inset - thickness);
        handle.setWidth(thickness);
    }
    drawBox(painter, handle, thickness / 2.0, color(active ? Role::Muted : Role::ControlLine));
}

} // namespace sotto::ui
